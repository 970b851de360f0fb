/*
 * The factorizations by their residuals: dense LU, Cholesky, pivoted QR and singular values, the
 * constraint matrix sparse, by blocks, and with rows dropped, symmetric and not.
 */
#include "engine/bind.h"
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/redundant.h"
#include "mechanics/algebra/jacobi.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/qr.h"
#include "mechanics/binding/binding.h"
#include "tests/kit/test_plugin.h"

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
  spd[0] = -1;
  tap_ok(!shk_cholesky_factor(spd, N), "Cholesky: an indefinite matrix is refused");
}

enum { ROWS = 12, WIDTH = 20 };

/* Bᵀ P = Q R from the factors; the largest difference. */
static real qr_defect(const real *original, const real *B, const real *tau, const real *diagonal,
                      const int *order, int rank)
{
  real worst = 0, x[WIDTH];
  for (int j = 0; j < ROWS; j++) {
    memcpy(x, original + order[j] * WIDTH, sizeof x);
    shk_qr_reflect(x, B, tau, rank, WIDTH);
    for (int k = 0; k < WIDTH; k++) {
      const real R_kj = k > j || k >= rank ? 0 : k == j ? diagonal[k] : B[j * WIDTH + k];
      /* Columns beyond the rank have what round-off left of them below it. */
      worst = real_max(worst, real_fabs(x[k] - R_kj));
    }
  }
  return worst;
}

static void test_qr(void)
{
  real original[ROWS * WIDTH], B[ROWS * WIDTH], tau[ROWS], diagonal[ROWS];
  int order[ROWS];
  for (int i = 0; i < ROWS * WIDTH; i++)
    original[i] = uniform();
  memcpy(B, original, sizeof B);
  const int rank = shk_qr_factor(B, tau, diagonal, order, ROWS, WIDTH, 100 * REAL_EPSILON);
  tap_ok(rank == ROWS, "QR of random columns: rank %d of %d", rank, ROWS);
  const real defect = qr_defect(original, B, tau, diagonal, order, rank);
  tap_ok(defect < 100 * REAL_EPSILON, "QR: off by %.1e", (double)defect);
  /* Three rows that depend on the others. */
  for (int k = 0; k < WIDTH; k++) {
    original[3 * WIDTH + k] = original[k];
    original[7 * WIDTH + k] = original[k] - 3 * original[WIDTH + k];
    original[8 * WIDTH + k] = original[4 * WIDTH + k] / 7 + original[5 * WIDTH + k];
  }
  memcpy(B, original, sizeof B);
  const int dependent = shk_qr_factor(B, tau, diagonal, order, ROWS, WIDTH, 1000 * REAL_EPSILON);
  tap_ok(dependent == ROWS - 3, "QR with three dependent columns: rank %d", dependent);
  const real left = qr_defect(original, B, tau, diagonal, order, dependent);
  tap_ok(left < 100 * REAL_EPSILON, "QR with dependent columns: off by %.1e", (double)left);
  memset(B, 0, sizeof B);
  tap_ok(shk_qr_factor(B, tau, diagonal, order, ROWS, WIDTH, REAL_EPSILON) == 0,
         "QR of zeros: rank 0");
}

static void test_svd(void)
{
  real original[ROWS * WIDTH], B[ROWS * WIDTH], L[ROWS * ROWS], sigma[ROWS], worst = 0, skew = 0;
  for (int i = 0; i < ROWS * WIDTH; i++)
    original[i] = uniform();
  for (int k = 0; k < WIDTH; k++) /* nearly dependent */
    original[5 * WIDTH + k] = original[k] + original[5 * WIDTH + k] * R(1e-9);
  memcpy(B, original, sizeof B);
  tap_ok(shk_jacobi_svd(B, L, ROWS, WIDTH, 0), "SVD: sweeps end");
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < WIDTH; k++) { /* B = L original */
      real sum = -B[i * WIDTH + k];
      for (int j = 0; j < ROWS; j++)
        sum += L[i * ROWS + j] * original[j * WIDTH + k];
      worst = real_max(worst, real_fabs(sum));
    }
    for (int j = 0; j < ROWS; j++) { /* rows of L orthonormal, those of B orthogonal */
      real ll = i == j ? -1 : 0, bb = 0;
      for (int k = 0; k < ROWS; k++)
        ll += L[i * ROWS + k] * L[j * ROWS + k];
      for (int k = 0; k < WIDTH; k++)
        bb += B[i * WIDTH + k] * B[j * WIDTH + k];
      if (i == j)
        sigma[i] = real_sqrt(bb);
      else
        skew = real_max(skew, real_fabs(bb));
      skew = real_max(skew, real_fabs(ll));
    }
  }
  tap_ok(worst < 100 * REAL_EPSILON, "SVD: L B off by %.1e", (double)worst);
  tap_ok(skew < 100 * REAL_EPSILON, "SVD: orthogonal to %.1e", (double)skew);
  real least = sigma[0];
  for (int i = 1; i < ROWS; i++)
    least = real_min(least, sigma[i]);
  tap_ok(least > R(1e-10) && least < R(1e-8), "SVD: the smallest of rows nearly dependent: %.3e",
         (double)least);
}

/* What counts as a pivot of zero: the round-off of its own diagonal entry, whatever the scales. */
static void test_regular(void)
{
  const real tiny = R(1e-12), tiniest = R(1e-40);
  real good[] = {1, 0, 0, tiny}, bad[] = {1, 1, 1, 1 + 4 * REAL_EPSILON};
  real scaled[] = {1, tiny / 2, tiny / 2, tiny * tiny};
  /* The rows are exchanged: what is left is to be measured by the small row, not by the large one
   * that stood there. */
  real exchanged[] = {tiniest * tiniest, tiniest / 2, tiniest / 2, 1};
  const struct {
    real *matrix;
    bool regular;
    const char *name;
  } cases[] = {{good, true, "a small entry of its own"},
               {bad, false, "the difference of equal rows"},
               {scaled, true, "rows of very different scales"},
               {exchanged, true, "the same with an exchange"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const real diagonal[] = {cases[i].matrix[0], cases[i].matrix[3]};
    int pivots[2];
    tap_ok(shk_lu_factor(cases[i].matrix, pivots, 2) &&
               shk_lu_is_regular(cases[i].matrix, pivots, diagonal, 2) == cases[i].regular,
           "pivots: %s: %s", cases[i].name, cases[i].regular ? "regular" : "singular");
  }
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

/* The same system by LU, by blocks, by QR and by singular values. */
static void test_others(const char *problem, const char *kind, const struct shk_evaluator *e,
                        const real *G_a, const real *G_b, const real *K, const real *b)
{
  static const struct {
    const char *name;
    const struct shk_factorization *factorization;
  } others[] = {{"lu", &shk_lu_factorization},
                {"blocks", &shk_block_factorization},
                {"qr", &shk_qr_factorization},
                {"svd", &shk_svd_factorization}};
  const int m = e->system->m;
  real *x = malloc((size_t)m * sizeof *x);
  for (int i = 0; i < 4; i++) {
    const struct shk_factorization *f = others[i].factorization;
    void *factors = NULL;
    memcpy(x, b, (size_t)m * sizeof *b);
    const bool ok = f->create(&factors, e->workspace, e, NULL).code == SHK_OK &&
                    f->factor(factors, G_a, G_b, false).code == SHK_OK;
    if (ok)
      f->solve(factors, x);
    const real left = residual(K, x, b, m);
    const int rank = i > 1 ? shk_redundant_rank(factors) : m;
    tap_ok(ok && rank == m && left < 1000 * REAL_EPSILON * real_max(1, real_max_norm(x, m)),
           "%s, %s, %s: full rank, residual %.1e", problem, kind, others[i].name, (double)left);
  }
  free(x);
}

static void test_sparse(const char *problem)
{
  BOUND bound = {0};
  struct shk_message error;
  if (!tap_ok(shk_bind_problem(&test_context, &bound, problem, &error) == SHK_OK &&
                  shk_bind_point(&bound, NULL, NULL, false, &error) == SHK_OK &&
                  shk_bind_check_start(&bound, &error) == SHK_OK,
              "%s", problem))
    return;
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
  const struct shk_factorization *f = &shk_sparse_factorization;
  void *sparse = NULL;
  tap_ok(f->create(&sparse, e->workspace, e, NULL).code == SHK_OK, "%s: symbolic work", problem);
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    const char *kind = symmetric ? "symmetric" : "not symmetric";
    dense_matrix(K, e, G_a, symmetric ? G_a : G_b);
    memcpy(x, b, (size_t)m * sizeof *b);
    tap_ok(f->factor(sparse, G_a, symmetric ? G_a : G_b, false).code == SHK_OK, "%s, %s: factors",
           problem, kind);
    f->solve(sparse, x);
    const real left = residual(K, x, b, m);
    tap_ok(left < 1000 * REAL_EPSILON * real_max(1, real_max_norm(x, m)), "%s, %s: residual %.1e",
           problem, kind, (double)left);
    test_others(problem, kind, e, G_a, symmetric ? G_a : G_b, K, b);
  }
  /* Far from symmetric: rows are exchanged. */
  for (int k = 0; k < entries; k++)
    G_a[k] = uniform();
  dense_matrix(K, e, G_a, G_b);
  test_others(problem, "random", e, G_a, G_b, K, b);
  memset(G_a, 0, (size_t)entries * sizeof *G_a);
  tap_ok(f->factor(sparse, G_a, G_a, false).code == SHK_SINGULAR, "%s: zeros are singular",
         problem);
  free(G_a);
  free(K);
  free(b);
}

/* A number that is not finite makes no singular matrix, in either Jacobian. */
static void test_not_finite(struct shk_evaluator *e, real *G_a, real *G_b)
{
  static const enum shk_linear_kind kinds[] = {SHK_LINEAR_AUTO, SHK_LINEAR_LU, SHK_LINEAR_QR,
                                               SHK_LINEAR_SVD, SHK_LINEAR_CHOLESKY};
  for (size_t i = 0; i < 2 * sizeof kinds / sizeof kinds[0]; i++) {
    const enum shk_linear_kind kind = kinds[i / 2];
    real *const spoilt = kind == SHK_LINEAR_CHOLESKY || i % 2 == 0 ? G_a : G_b;
    real *const other = kind == SHK_LINEAR_CHOLESKY ? G_a : G_b;
    struct shk_linear *linear;
    const real kept = spoilt[12];
    spoilt[12] = i % 2 == 0 ? NAN : INFINITY;
    const bool made = shk_linear_create_kind(&linear, e->workspace, e, kind, NULL).code == SHK_OK;
    tap_ok(made && shk_linear_factor(linear, G_a, other).code == SHK_NOT_FINITE,
           "factorization %d: numbers that are not finite", (int)kind);
    spoilt[12] = kept;
  }
}

/* Many full rows: LU forms their products together, four coordinates at a time. */
static void test_full_rows(void)
{
  enum { COUNT = 9, COORDINATES = 11 };
  real mass[COORDINATES], G[2][COUNT * COORDINATES], K[COUNT * COUNT], b[COUNT];
  const struct shk_system system = {.n = COORDINATES, .m = COUNT, .mass = mass};
  struct shk_evaluator e;
  for (int i = 0; i < COORDINATES; i++)
    mass[i] = 2 + uniform();
  for (int i = 0; i < COUNT; i++)
    b[i] = uniform();
  for (int i = 0; i < COUNT * COORDINATES; i++) {
    G[0][i] = uniform();
    G[1][i] = uniform();
  }
  if (tap_ok(shk_evaluator_init(&e, &system).code == SHK_OK, "a system of full rows")) {
    dense_matrix(K, &e, G[0], G[1]);
    test_others("full rows", "random", &e, G[0], G[1], K, b);
    test_not_finite(&e, G[0], G[1]);
    shk_evaluator_clear(&e);
  }
}

/* ---- Newton's method for dense systems ---- */

struct linear_equations {
  real A[N * N], b[N];
};

static struct shk_status linear_equations(void *user, real *F, real *J, const real *x)
{
  const struct linear_equations *const of = user;
  for (int i = 0; i < N; i++)
    F[i] = real_dot(of->A + (size_t)i * N, x, N) - of->b[i];
  memcpy(J, of->A, sizeof of->A);
  return shk_ok();
}

/* Solves a random system whose last row differs from the first by `apart`. In quad it has factors in
 * double, which serve for 1 and not for less. */
static void test_newton(real apart)
{
  static struct linear_equations of;
  struct shk_evaluator evaluator = {.run = 1};
  struct shk_newton *newton;
  real x[N] = {0}, weights[N];
  void *memory;
  struct shk_workspace *const workspace = shk_workspace_create(&memory, 1);
  const struct shk_binding binding = {.evaluator = &evaluator, .workspace = workspace};
  for (int i = 0; i < N * N; i++)
    of.A[i] = uniform();
  for (int i = 0; i < N; i++) {
    of.b[i] = uniform();
    weights[i] = 1 / REAL_EPSILON;
    of.A[(N - 1) * N + i] = of.A[i] + apart * uniform();
  }
  tap_ok(shk_bind_newton(&newton, &binding, N, 20).code == SHK_OK, "Newton's method is bound");
  const struct shk_status status =
      shk_newton_solve(newton, &evaluator, x, N, weights, linear_equations, &of);
  if (apart == 0)
    tap_is_int(status.code, SHK_SINGULAR, "equal rows are singular");
  else
    tap_ok(status.code == SHK_OK &&
               residual(of.A, x, of.b, N) < 1000 * REAL_EPSILON * real_max_norm(x, N),
           "rows apart by %.0e: %s, residual %.1e", (double)apart,
           status.code == SHK_OK ? "solved" : status.reason, (double)residual(of.A, x, of.b, N));
  shk_workspace_destroy(workspace);
}

int main(void)
{
  generator = tap_seed(20261120);
  test_dense();
  test_regular();
  test_qr();
  test_svd();
  test_full_rows();
  /* Components of different rows, so that blocks are more than one matrix. */
  if (load_test_plugin("SHAKEDOWN_CHAINS")) {
    test_sparse("chains(count=5,links=4)");
    test_sparse("chains(count=2,links=11)");
  }
  test_sparse("chain(links=2)");
  test_sparse("chain(links=40,start=zigzag)");
  test_sparse("chain(links=60,dimension=3,start=random(seed=5))");
  test_newton(1);
  test_newton(real_pow(REAL_EPSILON, R(0.6)));
  test_newton(0);
  return tap_done();
}
