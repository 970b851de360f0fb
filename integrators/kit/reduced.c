/*
 * The index-reduced equations, in which the multiplier is eliminated by differentiating g twice
 * (see <shakedown/bind.h> for the equations). Each slope requires one factorization and one
 * evaluation of each function.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §VII.1; Baumgarte, Comput.
 * Methods Appl. Mech. Eng. 1 (1972) 1. The constraint force is -Gᵀ lambda. Constraints that depend
 * on p are not supported.
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

struct shk_status shk_bind_reduced(struct shk_reduced **created, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  struct shk_reduced *reduced = *created = shk_part(binding->workspace, sizeof *reduced, arrays, e);
  SHK_TRY(shk_allocated(reduced));
  reduced->evaluator = e;
  return shk_bind_linear(&reduced->linear, binding, binding->options);
}

struct shk_status shk_reduced_begin(struct shk_reduced *reduced, real *v, real *H_q, real *gamma,
                                    real t, const real *q, const real *p)
{
  struct shk_evaluator *e = reduced->evaluator;
  const int m = e->system->m;
  SHK_TRY(shk_velocity(e, v, t, q, p));
  if (m == 0)
    return shk_gradient(e, H_q, t, q, p);
  SHK_TRY(shk_forces_and_constraints(e, H_q, reduced->G, gamma, t, q, p, v));
  if (reduced->hessian)
    SHK_TRY(shk_hessian_p(e, reduced->hessian, t, q, p));
  SHK_TRY(shk_factor_in_metric(reduced->linear, e, reduced->G, reduced->hessian));
  shk_acceleration(e, reduced->acceleration, reduced->hessian, v, -1, H_q);
  shk_jacobian_times(e, reduced->residual, reduced->G, reduced->acceleration);
  shk_vector_add(gamma, 1, reduced->residual, m);
  return shk_ok();
}

const real *shk_reduced_jacobian(const struct shk_reduced *reduced)
{
  return reduced->G;
}

void shk_reduced_end(struct shk_reduced *reduced, real *dp, real *lambda)
{
  struct shk_evaluator *e = reduced->evaluator;
  if (e->system->m > 0)
    shk_linear_solve(reduced->linear, lambda);
  shk_negate(dp, e->system->n);
  shk_jacobian_transposed_add(e, dp, reduced->G, -1, lambda);
}

struct shk_status shk_reduced_slope(struct shk_reduced *reduced, real *dq, real *dp, real *lambda,
                                    real t, const real *q, const real *p)
{
  SHK_TRY(shk_reduced_begin(reduced, dq, dp, lambda, t, q, p));
  shk_reduced_end(reduced, dp, lambda);
  return shk_ok();
}
