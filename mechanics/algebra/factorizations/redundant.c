/*
 * Let d_i be the length of row i of G_b M^(-1/2) (or 1 if the row is zero), let D be the diagonal
 * matrix of the d_i, and let
 *
 *     B = D⁻¹ G_b M^(-1/2),   A = D⁻¹ G_a M^(-1/2),   D⁻¹ K D⁻¹ = A Bᵀ,   lambda = D⁻¹ y
 *
 * reduce_by_qr and reduce_by_svd reduce the equations to a regular system. G W Gᵀ is the special
 * case in which G_a M^(-1/2) = G W M^(1/2) is a dense matrix. W itself is never factored, so it may
 * be indefinite, as H_pp of a general H can be.
 *
 * If the constraints are consistent, the omitted equations hold whenever the others do. The
 * iteration that uses the solution checks all of them.
 */
#include "mechanics/algebra/factorizations/redundant.h"

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/jacobi.h"
#include "mechanics/algebra/qr.h"

/* A direction is redundant if its length, relative to the longest one, is at most this factor times
 * epsilon times max(n,m). On the constraint manifold, redundant rows are linearly dependent to
 * within a few epsilon. */
#define RANK_ROUNDING 64
/* The rows to keep are selected anew if the last diagonal entry of R drops below this fraction of
 * the first. */
#define KEPT R(1e-3)

struct shk_redundant {
  const struct shk_evaluator *evaluator;
  bool svd, symmetric; /* `symmetric` is true if the last matrix was symmetric */
  bool keeps; /* whether to reuse the rows of the last basis for as long as they are independent */
  int n, m, rank;
  real *root_mass;      /* n entries: square roots of M, or 1 */
  real *length;         /* m: d */
  real *B;              /* m x n: B factored by QR, or the rows sigma_k v_kᵀ */
  real *left;           /* m x m: L; svd only */
  real *decomposed;     /* the last G_b, for SVD only */
  int most;             /* the largest rank accepted for it, or -1 if there is none */
  real *tau, *diagonal; /* used by QR; for SVD, `diagonal` contains sigma for each kept row */
  int *order;           /* the kept rows come first */
  int *from;            /* indices of those rows of G_b that B contains */
  real *reduced;        /* r x r: the factors of A_r Q or L_r A V_r */
  int *pivots;
  real *row;      /* n */
  real *products; /* m x m: A V_r; svd only */
  real *x;        /* m */
};

real shk_rank_tolerance(const struct shk_system *system)
{
  return RANK_ROUNDING * (system->n > system->m ? system->n : system->m) * REAL_EPSILON;
}

int shk_redundant_rank(const struct shk_redundant *r)
{
  return r->rank;
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_redundant, (.n = 1), root_mass, row),
             SHK_ARRAYS(shk_redundant, (.m = 1), length, tau, diagonal, x),
             SHK_ARRAY(shk_redundant, B, .nm = 1), SHK_INTEGERS(shk_redundant, order, .m = 1),
             SHK_INTEGERS(shk_redundant, from, .m = 1), SHK_ARRAY(shk_redundant, reduced, .mm = 1),
             SHK_INTEGERS(shk_redundant, pivots, .m = 1));

struct shk_status shk_redundant_create(struct shk_redundant **redundant,
                                       struct shk_workspace *workspace,
                                       const struct shk_evaluator *e, bool svd)
{
  const size_t m = (size_t)e->system->m;
  if (svd && m > SHK_JACOBI_ROWS)
    return shk_failure(SHK_REFUSED,
                       "linear=svd accepts at most %g constraints, but the system has %g: "
                       "linear=qr accepts redundant ones too",
                       SHK_JACOBI_ROWS, (double)m);
  struct shk_redundant *r = *redundant = shk_part(workspace, sizeof *r, arrays, e);
  SHK_TRY(shk_allocated(r));
  r->evaluator = e;
  r->svd = svd;
  r->most = -1;
  r->n = e->system->n;
  r->m = e->system->m;
  if (svd) {
    SHK_TRY(shk_reals(workspace, &r->left, m * m));
    SHK_TRY(shk_reals(workspace, &r->decomposed, (size_t)e->row_start[m]));
    SHK_TRY(shk_reals(workspace, &r->products, m * m));
  }
  for (int i = 0; i < r->n; i++)
    r->root_mass[i] =
        e->system->features & SHK_GENERAL_HAMILTONIAN ? 1 : real_sqrt(e->system->mass[i]);
  return shk_ok();
}

/* The left factor, G_a M^(-1/2) or G W M^(1/2). */
struct left_factor {
  const real *G;
  bool metric;
  const real *W; /* NULL represents the identity */
  int stride;
};

/* Stores row i of the left factor as a dense vector in `out` (n). */
static void left_row(const struct shk_redundant *r, real *out, const struct left_factor *left,
                     int i)
{
  const struct shk_evaluator *e = r->evaluator;
  shk_fill(out, 0, r->n);
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
    const int c = e->columns[k];
    if (!left->W)
      out[c] = left->G[k];
    for (int j = 0; left->W && j < r->n; j++)
      out[j] += left->G[k] * left->W[(size_t)c * left->stride + j];
  }
  for (int j = 0; j < r->n; j++)
    out[j] = left->metric ? out[j] * r->root_mass[j] : out[j] / r->root_mass[j];
}

/* Returns the largest acceptable rank. At points that violate redundant constraints, the rank of G
 * is larger. A solve with that rank would divide by the extra singular values, which are as small
 * as the distance from the constraints. */
static int most_directions(const struct shk_redundant *r)
{
  const int rank = r->evaluator->rank;
  return rank > 0 ? rank : r->m;
}

/* Moves those rows of B whose lengths are above round-off to the front, and stores these lengths as
 * sigma. */
static void choose_singular(struct shk_redundant *r, real tolerance)
{
  real largest = 0;
  for (int k = 0; k < r->m; k++) {
    const real *row = r->B + (size_t)k * r->n;
    r->x[k] = real_sqrt(real_dot(row, row, r->n));
    largest = real_max(largest, r->x[k]);
  }
  int count = 0;
  for (int k = 0; k < r->m; k++)
    if (r->x[k] > tolerance * largest)
      r->order[count++] = k;
  while (count > most_directions(r)) {
    int least = 0;
    for (int i = 1; i < count; i++)
      least = r->x[r->order[i]] < r->x[r->order[least]] ? i : least;
    memmove(r->order + least, r->order + least + 1, (size_t)(--count - least) * sizeof *r->order);
  }
  r->rank = count;
  for (int i = 0; i < count; i++)
    r->diagonal[i] = r->x[r->order[i]];
}

/* Fills B with `count` rows of G_b, each scaled to length one. These are the rows listed in
 * `order`, or all rows. */
static struct shk_status fill_basis(struct shk_redundant *r, const real *G_b, int count)
{
  for (int k = 0; k < count; k++) {
    const int i = r->from[k] = count < r->m ? r->order[k] : k;
    real *row = r->B + (size_t)k * r->n;
    left_row(r, row, &(struct left_factor){.G = G_b}, i);
    const real length = real_sqrt(real_dot(row, row, r->n));
    if (!real_isfinite(length))
      return shk_failure(SHK_NOT_FINITE, "the gradient of constraint %g is not finite", i + 1, 0);
    r->length[i] = length > 0 ? length : 1;
    for (int j = 0; j < r->n; j++)
      row[j] /= r->length[i];
  }
  return shk_ok();
}

/* Decomposes B, unless it was the last to be decomposed: starts are projected twice, and then have
 * multipliers, all with the same G, and sweeps take most of the time of a solve. */
static struct shk_status choose_by_svd(struct shk_redundant *r, const real *G_b, real tolerance)
{
  const int m = r->m, most = most_directions(r);
  const size_t size = (size_t)r->evaluator->row_start[m] * sizeof *G_b;
  if (r->most == most && memcmp(r->decomposed, G_b, size) == 0)
    return shk_ok();
  r->most = -1;
  SHK_TRY(fill_basis(r, G_b, m));
  if (!shk_jacobi_svd(r->B, r->left, m, r->n, 0))
    return shk_failure(SHK_NOT_CONVERGED, "the Jacobi sweeps did not converge", 0, 0);
  choose_singular(r, tolerance);
  memcpy(r->decomposed, G_b, size);
  r->most = most;
  return shk_ok();
}

/* Factors the first `count` rows of B. */
static void choose_by_qr(struct shk_redundant *r, int count, real tolerance)
{
  r->rank = shk_qr_factor(r->B, r->tau, r->diagonal, r->order, count, r->n, tolerance);
  if (r->rank > most_directions(r))
    r->rank = most_directions(r);
  for (int k = 0; k < count; k++)
    r->order[k] = r->from[r->order[k]];
}

struct shk_status shk_redundant_basis(struct shk_redundant *r, const real *G_b)
{
  const int m = r->m;
  const real tolerance = shk_rank_tolerance(r->evaluator->system);
  if (r->keeps && r->rank > 0 && r->rank < m) {
    const int count = r->rank;
    SHK_TRY(fill_basis(r, G_b, count));
    choose_by_qr(r, count, KEPT);
    if (r->rank == count)
      return shk_ok();
  }
  if (r->svd) {
    SHK_TRY(choose_by_svd(r, G_b, tolerance));
  } else {
    SHK_TRY(fill_basis(r, G_b, m));
    choose_by_qr(r, m, tolerance);
  }
  if (r->rank == 0 && m > 0)
    return shk_failure(SHK_SINGULAR, "all constraint gradients are zero", 0, 0);
  return shk_ok();
}

/* Bᵀ P = Q R: the first r columns of P select the constraints to keep. If A_r and B_r contain the
 * rows of these constraints, A_r B_rᵀ = (A_r Q) R_11. Stores A_r Q, which equals R_11ᵀ if A = B. A
 * system is then solved by a dense LU factorization of this matrix and a triangular solve with
 * R_11. The multipliers of dropped constraints are zero. */
static void reduce_by_qr(struct shk_redundant *r, const struct left_factor *left)
{
  for (int i = 0; i < r->rank; i++) {
    const int constraint = r->order[i];
    left_row(r, r->row, left, constraint);
    shk_qr_reflect(r->row, r->B, r->tau, r->rank, r->n);
    for (int k = 0; k < r->rank; k++)
      r->reduced[i * r->rank + k] = r->row[k] / r->length[constraint];
  }
}

/* L B = diag(sigma) Vᵀ with L orthogonal. With the r rows of L whose sigma is above round-off and y
 * = L_rᵀ diag(sigma)⁻¹ w, the equations L_r A Bᵀ y = L_r x become (L_r A V_r) w = L_r x. Stores L_r
 * A V_r, which is diag(sigma) if A = B, for a dense LU factorization. Of all vectors with the same
 * force Bᵀ y, this y is the shortest, so it minimizes Σ (d_i lambda_i)². Scaling a constraint
 * changes d_i but leaves the constraint force unchanged. */
static void reduce_by_svd(struct shk_redundant *r, const struct left_factor *left)
{
  const int rank = r->rank, m = r->m;
  for (int i = 0; i < m; i++) {
    left_row(r, r->row, left, i);
    for (int k = 0; k < rank; k++)
      r->products[i * rank + k] = real_dot(r->row, r->B + (size_t)r->order[k] * r->n, r->n) /
                                  (r->diagonal[k] * r->length[i]);
  }
  for (int i = 0; i < rank; i++)
    for (int k = 0; k < rank; k++)
      r->reduced[i * rank + k] =
          shk_dot_strided(r->left + (size_t)r->order[i] * m, r->products + k, rank, m);
}

static struct shk_status factor_redundant(struct shk_redundant *r, const struct left_factor *left)
{
  if (r->svd)
    reduce_by_svd(r, left);
  else
    reduce_by_qr(r, left);
  if (!shk_lu_factor(r->reduced, r->pivots, r->rank))
    return shk_failure(SHK_SINGULAR,
                       "the constraint matrix is singular in the %g directions that it should "
                       "control",
                       r->rank, 0);
  return shk_ok();
}

void shk_redundant_direction(const struct shk_redundant *r, real *out, int k)
{
  const int at = r->order[k];
  for (int i = 0; i < r->m; i++)
    out[i] = r->svd ? r->left[(size_t)at * r->m + i] / r->length[i] : 0;
  if (!r->svd)
    out[at] = 1 / r->length[at];
}

static void solve_by_qr(struct shk_redundant *r, real *x)
{
  const int rank = r->rank, n = r->n;
  for (int i = 0; i < rank; i++)
    r->x[i] = x[r->order[i]] / r->length[r->order[i]];
  if (r->symmetric) /* R_11ᵀ; R_kj is stored in row j, column k of B */
    for (int i = 0; i < rank; i++) {
      for (int k = 0; k < i; k++)
        r->x[i] -= r->B[(size_t)i * n + k] * r->x[k];
      r->x[i] /= r->diagonal[i];
    }
  else
    shk_lu_solve(r->x, r->reduced, r->pivots, rank);
  for (int i = rank - 1; i >= 0; i--) {
    for (int j = i + 1; j < rank; j++)
      r->x[i] -= r->B[(size_t)j * n + i] * r->x[j];
    r->x[i] /= r->diagonal[i];
  }
  shk_fill(x, 0, r->m);
  for (int i = 0; i < rank; i++)
    x[r->order[i]] = r->x[i] / r->length[r->order[i]];
}

static void solve_by_svd(struct shk_redundant *r, real *x)
{
  const int rank = r->rank, m = r->m;
  for (int i = 0; i < m; i++)
    x[i] /= r->length[i];
  for (int k = 0; k < rank; k++)
    r->x[k] = real_dot(r->left + (size_t)r->order[k] * m, x, m);
  if (r->symmetric)
    for (int k = 0; k < rank; k++)
      r->x[k] /= r->diagonal[k];
  else
    shk_lu_solve(r->x, r->reduced, r->pivots, rank);
  shk_fill(x, 0, m);
  for (int k = 0; k < rank; k++) {
    const real *left = r->left + (size_t)r->order[k] * m, y = r->x[k] / r->diagonal[k];
    for (int i = 0; i < m; i++)
      x[i] += left[i] * y;
  }
  for (int i = 0; i < m; i++)
    x[i] /= r->length[i];
}

/* ---- linear=qr and linear=svd ---- */

static struct shk_status create_qr(void **factors, struct shk_workspace *workspace,
                                   const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  return shk_redundant_create((struct shk_redundant **)factors, workspace, e, false);
}

static struct shk_status create_svd(void **factors, struct shk_workspace *workspace,
                                    const struct shk_evaluator *e, const struct shk_values *own)
{
  (void)own;
  return shk_redundant_create((struct shk_redundant **)factors, workspace, e, true);
}

static struct shk_status create_kept(void **factors, struct shk_workspace *workspace,
                                     const struct shk_evaluator *e, const struct shk_values *own)
{
  SHK_TRY(create_qr(factors, workspace, e, own));
  ((struct shk_redundant *)*factors)->keeps = true;
  return shk_ok();
}

static struct shk_status factor_constraint_matrix(void *factors, const real *G_a, const real *G_b,
                                                  bool again)
{
  struct shk_redundant *r = factors;
  if (!again)
    SHK_TRY(shk_redundant_basis(r, G_b));
  r->symmetric = G_a == G_b;
  return r->symmetric ? shk_ok() : factor_redundant(r, &(struct left_factor){.G = G_a});
}

static struct shk_status factor_metric(void *factors, const real *G, const real *W, int stride)
{
  struct shk_redundant *r = factors;
  SHK_TRY(shk_redundant_basis(r, G));
  r->symmetric = false;
  return factor_redundant(r,
                          &(struct left_factor){.G = G, .metric = true, .W = W, .stride = stride});
}

static void solve_redundant(void *factors, real *x)
{
  struct shk_redundant *r = factors;
  if (r->svd)
    solve_by_svd(r, x);
  else
    solve_by_qr(r, x);
}

#define FACTORIZATION(how)                                                                         \
  {                                                                                                \
    .create = how, .factor = factor_constraint_matrix, .factor_metric = factor_metric,             \
    .solve = solve_redundant                                                                       \
  }
const struct shk_factorization shk_qr_factorization = FACTORIZATION(create_qr);
const struct shk_factorization shk_svd_factorization = FACTORIZATION(create_svd);
const struct shk_factorization shk_kept_factorization = FACTORIZATION(create_kept);
