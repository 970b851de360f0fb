/*
 * solver=ilves: Newton's method on the bond graph, its sparse matrix factored directly: that of the
 * iterate, or the symmetric one of the old point (L. López-Villellas, C. C. K. Mikkelsen et al.,
 * Comput. Phys. Commun. 288 (2023) 108742, ILVES-PC; J. Chem. Theory Comput. 21 (2025), ILVES-M and
 * ILVES-F).
 */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"

static struct shk_status exact(void *self, struct shk_iteration *iteration,
                               const struct shk_position_solve *task)
{
  return shk_direct_position(self, iteration, &shk_position_rule, false, task);
}

static struct shk_status symmetric(void *self, struct shk_iteration *iteration,
                                   const struct shk_position_solve *task)
{
  return shk_direct_position(self, iteration, &shk_linear_position_rule, true, task);
}

struct shk_status shk_ilves_solver_create(struct shk_solver *solver,
                                          struct shk_workspace *workspace, struct shk_evaluator *e,
                                          const struct shk_values *options)
{
  const int matrix = shk_values_choice(shk_values_nested(options, "solver"), "matrix");
  *solver =
      (struct shk_solver){.position = matrix == 0 ? exact : symmetric, .hidden = shk_direct_hidden};
  return shk_direct_create_kind(&solver->self, sizeof(struct shk_direct), workspace, e, options,
                                SHK_LINEAR_SPARSE);
}
