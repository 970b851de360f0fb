/* Corrections of multipliers by a factored constraint matrix. See direct.h. */
#include "mechanics/solvers/kit/direct.h"

#include "mechanics/solvers/kit/stopping.h"

struct shk_status shk_direct_create(void **direct, size_t size, struct shk_workspace *workspace,
                                    struct shk_evaluator *evaluator,
                                    const struct shk_values *options)
{
  struct shk_direct *d = *direct = shk_memory(workspace, size);
  if (!d)
    return shk_no_memory();
  SHK_TRY(shk_linear_create(&d->linear, workspace, evaluator, options));
  SHK_TRY(shk_residuals_init(&d->at, workspace, evaluator, options));
  d->at.epsilon = shk_linear_regularization(d->linear);
  return shk_ok();
}

struct shk_status shk_direct_create_kind(void **direct, size_t size,
                                         struct shk_workspace *workspace,
                                         struct shk_evaluator *evaluator,
                                         const struct shk_values *options,
                                         enum shk_linear_kind kind)
{
  struct shk_direct *d = *direct = shk_memory(workspace, size);
  if (!d)
    return shk_no_memory();
  SHK_TRY(shk_linear_create_kind(&d->linear, workspace, evaluator, kind, NULL));
  return shk_residuals_init(&d->at, workspace, evaluator, options);
}

struct shk_status shk_direct_factor_old(struct shk_direct *d, const struct shk_position_solve *task)
{
  d->at.evaluator->work.factorizations++;
  return shk_linear_factor(d->linear, task->G_b, task->G_b);
}

void shk_direct_correct(struct shk_direct *d, const struct shk_position_solve *task)
{
  real *step = d->at.residual;
  d->at.evaluator->work.iterations++;
  shk_linear_solve(d->linear, step);
  for (int i = 0; i < d->at.evaluator->system->m; i++) {
    step[i] /= task->drift * task->kick;
    task->lambda[i] += step[i];
  }
}

struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_position_solve *task,
                                    bool old_point, bool first)
{
  struct shk_evaluator *e = d->at.evaluator;
  if (!old_point && !shk_linear_symmetric_only(d->linear)) {
    SHK_TRY(shk_jacobian(e, task->G1, task->t1, task->q1));
    e->work.factorizations++;
    SHK_TRY(first ? shk_linear_factor(d->linear, task->G1, task->G_b)
                  : shk_linear_factor_again(d->linear, task->G1, task->G_b));
  } else if (first) {
    SHK_TRY(shk_direct_factor_old(d, task));
  }
  shk_direct_correct(d, task);
  return shk_ok();
}

struct shk_status shk_direct_position(struct shk_direct *d, struct shk_iteration *iteration,
                                      const struct shk_iteration_rule *rule, bool old_point,
                                      const struct shk_position_solve *task)
{
  struct shk_evaluator *e = d->at.evaluator;
  shk_begin_position(&d->at, iteration, rule, task);
  for (int i = 0; shk_linear_drops(d->linear) && i < e->system->m; i++)
    task->lambda[i] = 0;
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_move(&d->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    SHK_TRY(shk_direct_newton(d, task, old_point, first));
  }
}

struct shk_status shk_direct_factor_hidden(struct shk_direct *d,
                                           const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = d->at.evaluator;
  const size_t n = (size_t)e->system->n;
  real *hessian = d->at.hessian;
  e->work.factorizations++;
  if (!hessian)
    return shk_linear_factor(d->linear, task->G1, task->G1);
  SHK_TRY(shk_hessian(e, hessian, task->t1, task->q1, task->p1));
  d->at.has_hessian = true;
  return shk_linear_factor_metric(d->linear, task->G1, hessian + 2 * n * n + n, (int)(2 * n));
}

void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = d->at.evaluator;
  real *step = d->at.residual;
  e->work.iterations++;
  shk_linear_solve(d->linear, step);
  for (int i = 0; i < e->system->m; i++) {
    step[i] /= task->kick;
    task->mu[i] += step[i];
  }
  shk_jacobian_transposed_add(e, task->dp, task->G1, -task->kick, step);
}

struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_hidden_solve *task)
{
  struct shk_direct *d = direct;
  const bool general = d->at.hessian != NULL;
  for (int i = 0; i < d->at.evaluator->system->m; i++)
    task->mu[i] = 0;
  shk_begin_hidden(&d->at, iteration, &shk_hidden_rule, task);
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_kick(&d->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    if (first || general)
      SHK_TRY(shk_direct_factor_hidden(d, task));
    shk_direct_correct_hidden(d, task);
  }
}
