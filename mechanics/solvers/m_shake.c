/*
 * solver=m-shake: Newton's method with a dense matrix for each molecule, that is, each connected
 * component of the constraint graph (V. Kräutler, W. F. van Gunsteren & P. H. Hünenberger,
 * J. Comput. Chem. 22 (2001) 501, eq. 12: the equations of SHAKE, their quadratic terms left out,
 * solved as a system at every iterate).
 */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  return shk_direct_position(self, iteration, &shk_position_rule, false, task);
}

struct shk_status shk_m_shake_solver_create(struct shk_solver *solver,
                                            struct shk_workspace *workspace,
                                            struct shk_evaluator *e,
                                            const struct shk_values *options)
{
  *solver = (struct shk_solver){.position = position, .hidden = shk_direct_hidden};
  return shk_direct_create_kind(&solver->self, sizeof(struct shk_direct), workspace, e, options,
                                SHK_LINEAR_BLOCK);
}
