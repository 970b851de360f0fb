/* solver=simplified-newton: the matrix of the old point in place of Newton's, factored once. */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct shk_direct *d = self;
  struct shk_evaluator *e = d->at.evaluator;
  shk_begin_position(&d->at, iteration, &shk_linear_position_rule, task);
  for (int i = 0; shk_linear_drops(d->linear) && i < e->system->m; i++)
    task->lambda[i] = 0;
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_move(&d->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    if (first)
      SHK_TRY(shk_direct_factor_old(d, task));
    shk_direct_correct(d, task);
  }
}

struct shk_status SHK_SOLVER_CREATE(simplified_newton)(struct shk_solver *solver,
                                                       struct shk_evaluator *e,
                                                       const struct shk_values *options)
{
  *solver = (struct shk_solver){
      .position = position, .hidden = shk_direct_hidden, .destroy = shk_direct_destroy};
  return shk_direct_create(&solver->self, sizeof(struct shk_direct), e, options);
}
