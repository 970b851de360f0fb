/* linear=cholesky: dense Cholesky factorization L Lᵀ of the symmetric constraint matrix. */
#include "mechanics/algebra/factorizations/dense_matrix.h"
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

static struct shk_status factor_cholesky(void *factors, const real *G_a, const real *G_b,
                                         bool again)
{
  (void)again;
  struct shk_dense *d = factors;
  shk_dense_assemble(d, G_a, G_b);
  bool regular = shk_cholesky_factor(d->matrix, d->m);
  for (int i = 0; regular && i < d->m; i++) {
    const real root = d->matrix[(size_t)i * d->m + i];
    regular = root * root > SHK_PIVOT_ROUNDING * REAL_EPSILON * d->diagonal[i];
  }
  return regular ? shk_ok()
                 : shk_failure(SHK_SINGULAR,
                               "the constraint matrix is not positive definite (linear=qr and "
                               "linear=svd accept redundant constraints)",
                               0, 0);
}

static void solve_cholesky(void *factors, real *x)
{
  const struct shk_dense *d = factors;
  shk_cholesky_solve(x, d->matrix, d->m);
}

const struct shk_factorization shk_cholesky_factorization = {
    .create = shk_dense_create, .factor = factor_cholesky, .solve = solve_cholesky};
