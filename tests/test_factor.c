/*
 * The factorizations against LAPACK and CHOLMOD (double) and against their own residuals (both
 * precisions): dense LU and Cholesky, the sparse constraint matrix, symmetric and not.
 */
#include "engine/bind.h"
#include "mechanics/sparse.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#if SHK_PRECISION == 64
#include <suitesparse/cholmod.h>
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info);
#endif

static uint64_t generator;

static real uniform(void)
{
  generator = generator * 6364136223846793005u + 1442695040888963407u;
  return (real)(int64_t)(generator >> 11) / R(4503599627370496.0) - 1;
}

static real residual(const real *a, const real *x, const real *b, int n)
{
  real worst = 0;
  for (int i = 0; i < n; i++) {
    real sum = -b[i];
    for (int j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    worst = real_max(worst, real_fabs(sum));
  }
  return worst;
}

enum { N = 50 };

static void test_dense(void)
{
  static real a[N * N], original[N * N], factor[N * N], b[N], x[N];
  int pivots[N];
  for (int i = 0; i < N * N; i++)
    a[i] = uniform();
  for (int i = 0; i < N; i++)
    b[i] = uniform();
  memcpy(original, a, sizeof a);
  memcpy(factor, a, sizeof a);
  memcpy(x, b, sizeof b);
  tap_ok(shk_lu_factor(factor, pivots, N), "LU of a random matrix");
  shk_lu_solve(x, factor, pivots, N);
  tap_ok(residual(a, x, b, N) < 1000 * REAL_EPSILON * real_max_norm(x, N), "LU: residual %.1e",
         (double)residual(a, x, b, N));
#if SHK_PRECISION == 64
  const int n = N, one = 1;
  int info, ipiv[N];
  static double theirs[N * N], y[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      theirs[j * N + i] = a[i * N + j];
  memcpy(y, b, sizeof b);
  dgesv_(&n, &one, theirs, &n, ipiv, y, &n, &info);
  bool same_pivots = info == 0;
  for (int i = 0; i < N; i++) {
    same_pivots = same_pivots && ipiv[i] == pivots[i] + 1;
    y[i] -= x[i];
  }
  tap_ok(same_pivots, "LU: LAPACK takes the same pivots");
  tap_ok(real_max_norm(y, N) < 1e-12 * real_max_norm(x, N), "LU: LAPACK's solution, off by %.1e",
         real_max_norm(y, N));
#endif
  for (int i = 0; i < N; i++) /* singular: a row twice */
    a[i] = a[N + i] = 1;
  tap_ok(!shk_lu_factor(a, pivots, N), "LU: a singular matrix is refused");

  static real spd[N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      real sum = i == j;
      for (int k = 0; k < N; k++)
        sum += original[i * N + k] * original[j * N + k];
      spd[i * N + j] = sum;
    }
  memcpy(factor, spd, sizeof spd);
  memcpy(x, b, sizeof b);
  tap_ok(shk_cholesky_factor(factor, N), "Cholesky of a positive definite matrix");
  shk_cholesky_solve(x, factor, N);
  tap_ok(residual(spd, x, b, N) < 1000 * REAL_EPSILON * N, "Cholesky: residual %.1e",
         (double)residual(spd, x, b, N));
#if SHK_PRECISION == 64
  memcpy(theirs, spd, sizeof spd);
  memcpy(y, b, sizeof b);
  dposv_("L", &n, &one, theirs, &n, y, &n, &info);
  for (int i = 0; i < N; i++)
    y[i] -= x[i];
  tap_ok(info == 0 && real_max_norm(y, N) < 1e-12, "Cholesky: LAPACK's solution, off by %.1e",
         real_max_norm(y, N));
#endif
  spd[0] = -1;
  tap_ok(!shk_cholesky_factor(spd, N), "Cholesky: an indefinite matrix is refused");
}

/* K of a problem at two points, dense, from its definition. */
static void dense_matrix(real *K, const struct shk_evaluator *e, const real *G_a, const real *G_b)
{
  const int n = e->system->n, m = e->system->m;
  real *a = calloc((size_t)n * (size_t)m * 2, sizeof *a), *b = a + (size_t)n * (size_t)m;
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      a[i * n + e->columns[k]] = G_a[k];
      b[i * n + e->columns[k]] = G_b[k];
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      real sum = 0;
      for (int c = 0; c < n; c++)
        sum += a[i * n + c] / e->system->mass[c] * b[j * n + c];
      K[i * m + j] = sum;
    }
  free(a);
}

#if SHK_PRECISION == 64
static void solve_by_cholmod(double *x, const real *K, const double *b, int m)
{
  cholmod_common common;
  cholmod_start(&common);
  cholmod_dense *dense =
      cholmod_allocate_dense((size_t)m, (size_t)m, (size_t)m, CHOLMOD_REAL, &common);
  memcpy(dense->x, K, (size_t)m * (size_t)m * sizeof(double));
  cholmod_sparse *sparse = cholmod_dense_to_sparse(dense, 1, &common);
  sparse->stype = 1;
  cholmod_factor *factor = cholmod_analyze(sparse, &common);
  cholmod_factorize(sparse, factor, &common);
  cholmod_dense *right = cholmod_zeros((size_t)m, 1, CHOLMOD_REAL, &common);
  memcpy(right->x, b, (size_t)m * sizeof(double));
  cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor, right, &common);
  memcpy(x, solution->x, (size_t)m * sizeof(double));
  cholmod_free_dense(&dense, &common);
  cholmod_free_dense(&right, &common);
  cholmod_free_dense(&solution, &common);
  cholmod_free_sparse(&sparse, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
}
#endif

static void test_sparse(const char *problem)
{
  struct shk_bound bound;
  struct shk_message error;
  if (!tap_ok(shk_bind_problem(&bound, problem, &error) == SHK_OK &&
                  shk_bind_start(&bound, NULL, NULL, false, &error) == SHK_OK,
              "%s", problem)) {
    shk_unbind(&bound);
    return;
  }
  struct shk_evaluator *e = &bound.evaluator;
  const int n = e->system->n, m = e->system->m, entries = e->row_start[m];
  real *G_a = malloc(2 * (size_t)entries * sizeof *G_a), *G_b = G_a + entries;
  real *K = malloc((size_t)m * (size_t)m * sizeof *K);
  real *b = malloc(2 * (size_t)m * sizeof *b), *x = b + m;
  shk_jacobian(e, G_b, 0, bound.start.q);
  for (int i = 0; i < n; i++)
    bound.start.q[i] += uniform() / 10;
  shk_jacobian(e, G_a, 0, bound.start.q);
  for (int i = 0; i < m; i++)
    b[i] = uniform();
  struct shk_sparse *sparse = NULL;
  tap_ok(shk_sparse_create(&sparse, e).code == SHK_OK, "%s: symbolic work", problem);
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    const char *kind = symmetric ? "symmetric" : "not symmetric";
    dense_matrix(K, e, G_a, symmetric ? G_a : G_b);
    memcpy(x, b, (size_t)m * sizeof *b);
    tap_ok(shk_sparse_factor(sparse, G_a, symmetric ? G_a : G_b).code == SHK_OK, "%s, %s: factors",
           problem, kind);
    shk_sparse_solve(sparse, x);
    const real left = residual(K, x, b, m);
    tap_ok(left < 1000 * REAL_EPSILON * real_max(1, real_max_norm(x, m)), "%s, %s: residual %.1e",
           problem, kind, (double)left);
#if SHK_PRECISION == 64
    if (symmetric) {
      double *y = malloc((size_t)m * sizeof *y);
      solve_by_cholmod(y, K, b, m);
      for (int i = 0; i < m; i++)
        y[i] -= x[i];
      tap_ok(real_max_norm(y, m) < 1e-10 * real_max_norm(x, m),
             "%s: CHOLMOD's solution, off by %.1e", problem, real_max_norm(y, m));
      free(y);
    }
#endif
  }
  memset(G_a, 0, (size_t)entries * sizeof *G_a);
  tap_ok(shk_sparse_factor(sparse, G_a, G_a).code == SHK_SINGULAR, "%s: zeros are singular",
         problem);
  shk_sparse_destroy(sparse);
  free(G_a);
  free(K);
  free(b);
  shk_unbind(&bound);
}

int main(void)
{
  generator = tap_seed(20261120);
  test_dense();
  test_sparse("chain(links=2)");
  test_sparse("chain(links=40,start=zigzag)");
  test_sparse("chain(links=60,dimension=3,start=random(seed=5))");
  return tap_done();
}
