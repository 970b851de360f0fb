/* linear=lu: dense LU factorization with partial pivoting. */
#include "mechanics/algebra/factorizations/dense_matrix.h"
#include "mechanics/algebra/factorizations/factorization.h"

static struct shk_status factor_metric(void *factors, const real *G, const real *W, int stride)
{
  shk_dense_assemble_metric(factors, G, W, stride);
  return shk_dense_lu(
      factors,
      "the matrix G H_pp Gᵀ is singular (linear=qr and linear=svd accept redundant constraints)");
}

const struct shk_factorization shk_lu_factorization = {.create = shk_dense_create,
                                                       .factor = shk_dense_factor_lu,
                                                       .factor_metric = factor_metric,
                                                       .solve = shk_dense_solve_lu};
