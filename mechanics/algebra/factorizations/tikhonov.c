/* linear=tikhonov: dense LU factorization of K + epsilon·1. It is provided for comparison only. */
#include "mechanics/algebra/factorizations/dense_matrix.h"
#include "mechanics/algebra/factorizations/factorization.h"

static struct shk_status create_tikhonov(void **factors, struct shk_workspace *workspace,
                                         const struct shk_evaluator *e,
                                         const struct shk_values *own)
{
  SHK_TRY(shk_dense_create(factors, workspace, e, own));
  ((struct shk_dense *)*factors)->added = shk_values_real(own, "epsilon");
  return shk_ok();
}

static real added_tikhonov(const void *factors)
{
  return ((const struct shk_dense *)factors)->added;
}

const struct shk_factorization shk_tikhonov_factorization = {.create = create_tikhonov,
                                                             .factor = shk_dense_factor_lu,
                                                             .solve = shk_dense_solve_lu,
                                                             .added = added_tikhonov};
