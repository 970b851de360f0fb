/*
 * solver=newton: Newton's method with the matrix drift·kick·G(q1) M⁻¹ G(q0)ᵀ, which is factored at
 * every iterate. In quad, double-precision factors (in_double.h) are used as long as they reduce
 * the residual.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"

struct shk_status shk_newton_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_OF_OPTIONS));
  struct shk_direct *d = solver->self;
  return shk_refining_allow_double(&d->factors, b->workspace, b->options);
}
