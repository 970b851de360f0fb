/* solver=simplified-newton: the matrix of the old point in place of Newton's, factored once. */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  return shk_direct_position(self, iteration, &shk_linear_position_rule, true, task);
}

struct shk_status shk_simplified_newton_solver_create(struct shk_solver *solver,
                                                      struct shk_workspace *workspace,
                                                      struct shk_evaluator *e,
                                                      const struct shk_values *options)
{
  *solver = (struct shk_solver){.position = position, .hidden = shk_direct_hidden};
  SHK_TRY(shk_direct_create(&solver->self, sizeof(struct shk_direct), workspace, e, options));
  return shk_direct_refine(solver->self, options);
}
