/* Corrects multipliers using a factored constraint matrix. See direct.h. */
#include "mechanics/solvers/kit/direct.h"

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/binding/binding.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/evaluate.h"

struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    const struct shk_binding *binding, enum shk_linear_kind kind)
{
  struct shk_direct *d = shk_memory(binding->workspace, size);
  *solver = (struct shk_solver){d, shk_direct_position, shk_direct_hidden};
  SHK_TRY(shk_allocated(d));
  struct shk_evaluator *const e = binding->evaluator;
  struct shk_linear **const linear = &d->factors.linear;
  d->factors.evaluator = e;
  SHK_TRY(kind == SHK_LINEAR_OF_OPTIONS
              ? shk_bind_linear(linear, binding, binding->options)
              : shk_linear_create_kind(linear, binding->workspace, e, kind, NULL));
  SHK_TRY(shk_residuals_init(&d->at, binding));
  d->at.epsilon = shk_linear_regularization(*linear);
  SHK_TRY(shk_reals(binding->workspace, &d->G1, (size_t)e->row_start[e->system->m]));
  return shk_ok();
}

void shk_direct_correct(struct shk_direct *d, const struct shk_kick *kick)
{
  real *step = d->at.residual;
  d->at.evaluator->counters.iterations++;
  shk_refining_solve(&d->factors, step);
  for (int i = 0; i < d->at.evaluator->system->m; i++) {
    step[i] /= kick->drift * kick->by;
    kick->multiplier[i] += step[i];
  }
}

struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_kick *kick, bool first)
{
  struct shk_evaluator *e = d->at.evaluator;
  if (!d->old_point && !shk_linear_symmetric_only(d->factors.linear)) {
    SHK_TRY(shk_iterate_jacobian(e, d->G1, kick->t, kick->to->q));
    SHK_TRY(shk_refining_factor(&d->factors, d->G1, kick->along, !first));
  } else if (first) {
    SHK_TRY(shk_refining_factor(&d->factors, kick->along, kick->along, false));
  }
  shk_direct_correct(d, kick);
  return shk_ok();
}

struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_kick *kick)
{
  struct shk_direct *d = direct;
  struct shk_evaluator *e = d->at.evaluator;
  real last = 0; /* residual */
  shk_begin_position(&d->at, iteration,
                     d->old_point ? &shk_linear_position_rule : &shk_position_rule, kick);
  shk_refining_begin(&d->factors, iteration->counted);
  if (shk_linear_drops(d->factors.linear))
    shk_fill(kick->multiplier, 0, e->system->m);
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_residuals_position(&d->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    shk_refining_gained(&d->factors, residual, last);
    last = residual;
    SHK_TRY(shk_direct_newton(d, kick, first));
  }
}

struct shk_status shk_direct_factor_hidden(struct shk_direct *d, const struct shk_kick *kick)
{
  struct shk_evaluator *e = d->at.evaluator;
  const size_t n = (size_t)e->system->n;
  real *hessian = d->at.hessian;
  if (!hessian)
    return shk_refining_factor(&d->factors, kick->along, kick->along, false);
  SHK_TRY(shk_hessian(e, hessian, kick->t, kick->to->q, kick->to->p));
  d->at.has_hessian = true;
  return shk_refining_factor_metric(&d->factors, kick->along, hessian + 2 * n * n + n,
                                    (int)(2 * n));
}

void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_kick *kick)
{
  struct shk_evaluator *e = d->at.evaluator;
  real *step = d->at.residual;
  e->counters.iterations++;
  shk_refining_solve(&d->factors, step);
  for (int i = 0; i < e->system->m; i++) {
    step[i] /= kick->by;
    kick->multiplier[i] += step[i];
  }
  shk_jacobian_transposed_add(e, kick->dp, kick->along, -kick->by, step);
}

struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_kick *kick)
{
  struct shk_direct *d = direct;
  const bool general = d->at.hessian != NULL;
  shk_begin_hidden(&d->at, iteration, &shk_hidden_rule, kick);
  shk_refining_begin(&d->factors, iteration->counted || shk_refining_is_small(&d->factors));
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_residuals_hidden(&d->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    if (first || general)
      SHK_TRY(shk_direct_factor_hidden(d, kick));
    shk_direct_correct_hidden(d, kick);
  }
}
