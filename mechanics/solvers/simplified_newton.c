/* solver=simplified-newton: Newton's method with the matrix of the old point, which is factored
 * only once. */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"

struct shk_status shk_simplified_newton_solver_create(struct shk_solver *solver,
                                                      const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_OF_OPTIONS));
  struct shk_direct *d = solver->self;
  d->old_point = true;
  return shk_refining_allow_double(&d->factors, b->workspace, b->options);
}
