/* linear=lu: dense LU with partial pivoting. */
#include "mechanics/algebra/factorizations/dense_matrix.h"
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/pivots.h"
#include <shakedown/solve.h>

static struct shk_status factor_metric(void *factors, const real *G, const real *W, int stride)
{
  struct shk_dense *d = factors;
  shk_dense_assemble_metric(d, G, W, stride);
  return shk_lu_factor(d->matrix, d->pivots, d->m) &&
                 shk_lu_is_regular(d->matrix, d->pivots, d->diagonal, d->m)
             ? shk_ok()
             : shk_failure(SHK_SINGULAR,
                           "the matrix G H_pp Gᵀ is singular (linear=qr and svd take redundant "
                           "constraints)",
                           0, 0);
}

const struct shk_factorization shk_lu_factorization = {.create = shk_dense_create,
                                                       .factor = shk_dense_factor_lu,
                                                       .factor_metric = factor_metric,
                                                       .solve = shk_dense_solve_lu};
