/* Corrections of multipliers by a factored constraint matrix. See direct.h. */
#include "mechanics/solvers/kit/direct.h"

#include "mechanics/algebra/rough.h"
#include "mechanics/binding/binding.h"
#include "mechanics/solvers/kit/stopping.h"

struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    const struct shk_binding *binding, enum shk_linear_kind kind)
{
  struct shk_direct *d = shk_memory(binding->workspace, size);
  *solver = (struct shk_solver){d, shk_direct_position, shk_direct_hidden};
  SHK_TRY(shk_allocated(d));
  SHK_TRY(kind == SHK_LINEAR_OF_OPTIONS ? shk_bind_linear(&d->linear, binding, binding->options)
                                        : shk_linear_create_kind(&d->linear, binding->workspace,
                                                                 binding->evaluator, kind, NULL));
  SHK_TRY(shk_residuals_init(&d->at, binding));
  d->at.epsilon = shk_linear_regularization(d->linear);
  const struct shk_evaluator *const e = binding->evaluator;
  SHK_TRY(shk_reals(binding->workspace, &d->G1, (size_t)e->row_start[e->system->m]));
  return shk_ok();
}

/* ---- factors in double for solves in quad ---- */

/* Factors in double need one more correction than factors in quad. For FEW constraints that costs
 * as much as factors in quad. Such systems therefore use factors in quad for the hidden solve,
 * which is linear, and in position solves once Newton's next correction gains more digits than
 * double has. */
#define FEW 8
#define MANY_DIGITS R(1e-7) /* the next gain is the square of the last one */

struct shk_status shk_direct_refine(struct shk_direct *d, const struct shk_values *options)
{
  const struct shk_evaluator *e = d->at.evaluator;
  const int kind = options ? shk_values_choice(options, "linear") : (int)SHK_LINEAR_AUTO;
  const unsigned others = SHK_TAKES_REDUNDANT | SHK_LEAVES_CONSTRAINT;
  if (!RESIDUALS_ARE_FINER || (shk_linear_traits(kind) & others) != 0 || !e->system->mass ||
      shk_is_general(e->system))
    return shk_ok();
  const int n = e->system->n, m = e->system->m;
  double *mass = shk_memory(shk_workspace_of(d), (size_t)n * sizeof *mass);
  SHK_TRY(shk_allocated(mass));
  for (int i = 0; i < n; i++)
    mass[i] = (double)e->system->mass[i];
  const struct shk_in_double_system system = {n, m, e->row_start, e->columns, mass};
  return shk_in_double_create(&d->rough, &d->arrays, shk_workspace_of(d), &system, kind);
}

static bool factor_roughly(struct shk_direct *d, const real *G_a, const real *G_b)
{
  const struct shk_evaluator *e = d->at.evaluator;
  const int entries = e->row_start[e->system->m];
  if (!d->rough || d->in_full || (e->rank > 0 && e->rank < e->system->m))
    return false;
  for (int k = 0; k < entries; k++)
    d->arrays.G_a[k] = (double)G_a[k];
  for (int k = 0; k < entries && G_b != G_a; k++)
    d->arrays.G_b[k] = (double)G_b[k];
  return shk_in_double_factor(d->rough, G_b == G_a);
}

/* Factors K, in double if possible. `again`: G_b is the same as in the last call of this solve. */
static struct shk_status factor(struct shk_direct *d, const real *G_a, const real *G_b, bool again)
{
  const bool was_rough = d->is_rough;
  d->at.evaluator->work.factorizations++;
  d->is_rough = factor_roughly(d, G_a, G_b);
  if (d->is_rough)
    return shk_ok();
  d->in_full = true;
  return again && !was_rough ? shk_linear_factor_again(d->linear, G_a, G_b)
                             : shk_linear_factor(d->linear, G_a, G_b);
}

/* x <- K⁻¹ x, for x of any order of magnitude. */
static void solve(const struct shk_direct *d, real *x)
{
  const int m = d->at.evaluator->system->m;
  if (!d->is_rough) {
    shk_linear_solve(d->linear, x);
    return;
  }
  const real size = real_max_norm(x, m), inverse = size > 0 ? 1 / size : 0;
  for (int i = 0; i < m; i++)
    d->arrays.x[i] = (double)(x[i] * inverse);
  shk_in_double_solve(d->rough);
  for (int i = 0; i < m; i++)
    x[i] = size * (real)d->arrays.x[i];
}

/* ---- the solves ---- */

struct shk_status shk_direct_factor_old(struct shk_direct *d, const struct shk_kick *kick)
{
  return factor(d, kick->along, kick->along, false);
}

void shk_direct_correct(struct shk_direct *d, const struct shk_kick *kick)
{
  real *step = d->at.residual;
  d->at.evaluator->work.iterations++;
  solve(d, step);
  for (int i = 0; i < d->at.evaluator->system->m; i++) {
    step[i] /= kick->drift * kick->by;
    kick->multiplier[i] += step[i];
  }
}

struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_kick *kick, bool first)
{
  struct shk_evaluator *e = d->at.evaluator;
  if (!d->old_point && !shk_linear_symmetric_only(d->linear)) {
    SHK_TRY(shk_iterate_jacobian(e, d->G1, kick->t, kick->to->q));
    SHK_TRY(factor(d, d->G1, kick->along, !first));
  } else if (first) {
    SHK_TRY(shk_direct_factor_old(d, kick));
  }
  shk_direct_correct(d, kick);
  return shk_ok();
}

struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_kick *kick)
{
  struct shk_direct *d = direct;
  struct shk_evaluator *e = d->at.evaluator;
  real before = 0;
  shk_begin_position(&d->at, iteration,
                     d->old_point ? &shk_linear_position_rule : &shk_position_rule, kick);
  d->in_full = iteration->counted;
  if (shk_linear_drops(d->linear))
    shk_fill(kick->multiplier, 0, e->system->m);
  for (bool first = true;; first = false) {
    real residual;
    SHK_TRY(shk_residuals_position(&d->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    d->in_full = d->in_full || (e->system->m <= FEW && residual < MANY_DIGITS * before);
    before = residual;
    SHK_TRY(shk_direct_newton(d, kick, first));
  }
}

struct shk_status shk_direct_factor_hidden(struct shk_direct *d, const struct shk_kick *kick)
{
  struct shk_evaluator *e = d->at.evaluator;
  const size_t n = (size_t)e->system->n;
  real *hessian = d->at.hessian;
  if (!hessian)
    return factor(d, kick->along, kick->along, false);
  e->work.factorizations++;
  d->is_rough = false;
  SHK_TRY(shk_hessian(e, hessian, kick->t, kick->to->q, kick->to->p));
  d->at.has_hessian = true;
  return shk_linear_factor_metric(d->linear, kick->along, hessian + 2 * n * n + n, (int)(2 * n));
}

void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_kick *kick)
{
  struct shk_evaluator *e = d->at.evaluator;
  real *step = d->at.residual;
  e->work.iterations++;
  solve(d, step);
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
  d->in_full = iteration->counted || d->at.evaluator->system->m <= FEW;
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
