/*
 * The index-reduced equations: the multiplier is eliminated by differentiating g twice (equations
 * in <shakedown/bind.h>). Each slope takes one evaluation of each kind and one factorization.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §VII.1; Baumgarte, Comput.
 * Methods Appl. Mech. Eng. 1 (1972) 1. The constraint force is -Gᵀ lambda. Not for constraints that
 * depend on p.
 */
#include "integrators/kit/ode.h"
#include "mechanics/system/evaluate.h"

struct shk_reduced {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  real *G, *acceleration, *residual;
  real *hessian; /* general systems: 2n x 2n */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_reduced, G, .entries = 1), SHK_ARRAY(shk_reduced, acceleration, .n = 1),
             SHK_ARRAY(shk_reduced, residual, .m = 1),
             SHK_ARRAY(shk_reduced, hessian, .nn = 4, .only = SHK_GENERAL));

struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  struct shk_reduced *w = *reduced = shk_part(binding->workspace, sizeof *w, arrays, e);
  SHK_TRY(shk_allocated(w));
  w->evaluator = e;
  return shk_bind_linear(&w->linear, binding, binding->options);
}

struct shk_status shk_reduced_begin(struct shk_reduced *w, real *v, real *H_q, real *gamma, real t,
                                    const real *q, const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  const int m = e->system->m;
  SHK_TRY(shk_velocity(e, v, t, q, p));
  if (m == 0)
    return shk_gradient(e, H_q, t, q, p);
  SHK_TRY(shk_forces_and_constraints(e, H_q, w->G, gamma, t, q, p, v));
  if (w->hessian)
    SHK_TRY(shk_hessian_p(e, w->hessian, t, q, p));
  SHK_TRY(shk_factor_in_metric(w->linear, e, w->G, w->hessian));
  shk_acceleration(e, w->acceleration, w->hessian, v, -1, H_q);
  shk_jacobian_times(e, w->residual, w->G, w->acceleration);
  shk_vector_add(gamma, 1, w->residual, m);
  return shk_ok();
}

const real *shk_reduced_jacobian(const struct shk_reduced *w)
{
  return w->G;
}

void shk_reduced_end(struct shk_reduced *w, real *dp, real *lambda)
{
  struct shk_evaluator *e = w->evaluator;
  if (e->system->m > 0)
    shk_linear_solve(w->linear, lambda);
  shk_negate(dp, e->system->n);
  shk_jacobian_transposed_add(e, dp, w->G, -1, lambda);
}

struct shk_status shk_reduced_slope(struct shk_reduced *w, real *dq, real *dp, real *lambda, real t,
                                    const real *q, const real *p)
{
  SHK_TRY(shk_reduced_begin(w, dq, dp, lambda, t, q, p));
  shk_reduced_end(w, dp, lambda);
  return shk_ok();
}
