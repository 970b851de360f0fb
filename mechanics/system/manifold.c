/*
 * Computes the exact multiplier, the residuals of a state, and the projection onto the constraint
 * manifold. Constraints that depend on momenta are handled in fibre.c, and general
 * differential-algebraic equations in dae.c.
 */
#include "mechanics/system/manifold.h"

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/system/dae.h"
#include "mechanics/system/fibre.h"
#include "mechanics/system/row_weights.h"

#include <shakedown/bind.h>

static const struct shk_iteration_rule onto_constraint =
    SHK_TO_ROUND_OFF("no consistent positions were found nearby: max|g| = %g");
static const struct shk_iteration_rule onto_hidden =
    SHK_TO_ROUND_OFF("no consistent momenta were found: max|G H_p| = %g");
#define LIMIT 60

struct shk_manifold {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  struct shk_iteration iteration;
  /* used for constraints g(q,p), which require only this member and the vectors */
  struct shk_fibre *fibre;
  struct shk_dae *dae; /* used for general DAEs, which require only this member */
  real *jacobian;
  real *velocity, *work_n, *acceleration, *work_m, *weights;
  real *hessian; /* 2n x 2n for general systems; NULL for separable ones */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_manifold, jacobian, .entries = 1),
             SHK_ARRAYS(shk_manifold, (.n = 1), velocity, work_n, acceleration),
             SHK_ARRAYS(shk_manifold, (.m = 1), work_m, weights),
             SHK_ARRAY(shk_manifold, hessian, .nn = 4, .only = SHK_GENERAL));

struct shk_status shk_bind_manifold(struct shk_manifold **created,
                                    const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  struct shk_manifold *manifold = *created =
      shk_part(binding->workspace, sizeof *manifold, arrays, e);
  SHK_TRY(shk_allocated(manifold));
  manifold->evaluator = e;
  manifold->iteration.limit = LIMIT;
  if (e->system->features & SHK_GENERAL_DAE)
    return shk_dae_create(&manifold->dae, binding->workspace, e);
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT)
    return shk_bind_fibre(&manifold->fibre, binding);
  return shk_bind_linear(&manifold->linear, binding, NULL);
}

struct shk_status shk_manifold_keep_rows(struct shk_manifold *manifold)
{
  return manifold->linear ? shk_linear_keep_rows(manifold->linear) : shk_ok();
}

struct shk_status shk_manifold_take_redundant(struct shk_manifold *manifold)
{
  return manifold->linear
             ? shk_linear_rescue(manifold->linear)
             : shk_failure(SHK_SINGULAR, "the constraints do not determine a multiplier", 0, 0);
}

bool shk_manifold_met_singular(const struct shk_manifold *manifold)
{
  return manifold->linear != NULL && shk_linear_rescued(manifold->linear);
}

struct shk_status shk_factor_in_metric(struct shk_linear *linear, struct shk_evaluator *e,
                                       const real *G, const real *hessian)
{
  const size_t n = (size_t)e->system->n;
  e->counters.factorizations++;
  return !shk_is_general(e->system)
             ? shk_linear_factor(linear, G, G)
             : shk_linear_factor_metric(linear, G, hessian ? hessian + 2 * n * n + n : NULL,
                                        (int)(2 * n));
}

struct shk_status shk_constrained_slope(struct shk_evaluator *e, real *f, real *gradient,
                                        real *jacobian, real t, const real *q, const real *p,
                                        const real *lambda)
{
  const int n = e->system->n, m = e->system->m;
  const real *g_q = jacobian, *g_p = g_q + (size_t)m * (size_t)n;
  SHK_TRY(shk_velocity(e, f, t, q, p));
  SHK_TRY(shk_gradient(e, f + n, t, q, p));
  if (gradient)
    *gradient = real_max_norm(f + n, n);
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT) {
    SHK_TRY(shk_constraint_gradients(e, jacobian, jacobian + m * n, t, q, p));
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        f[i] += g_p[k * n + i] * lambda[k];
        f[n + i] += g_q[k * n + i] * lambda[k];
      }
  } else {
    SHK_TRY(shk_jacobian(e, jacobian, t, q));
    shk_jacobian_transposed_add(e, f + n, jacobian, 1, lambda);
  }
  shk_negate(f + n, n);
  return shk_ok();
}

void shk_acceleration(const struct shk_evaluator *e, real *a, const real *hessian, const real *v,
                      real factor, const real *f)
{
  const size_t n = (size_t)e->system->n;
  for (size_t i = 0; i < n; i++) {
    a[i] = hessian ? 0 : shk_over_mass(e, factor * f[i], (int)i);
    const real *H_pq = hessian + (n + i) * 2 * n, *H_pp = H_pq + n;
    for (size_t j = 0; hessian && j < n; j++)
      a[i] += (v ? H_pq[j] * v[j] : 0) + H_pp[j] * (factor * f[j]);
  }
}

struct shk_status shk_exact_multiplier(struct shk_manifold *manifold, real *lambda, real t,
                                       const real *q, const real *p)
{
  struct shk_evaluator *e = manifold->evaluator;
  const int m = e->system->m;
  if (m == 0)
    return shk_ok();
  if (manifold->fibre)
    return shk_fibre_multiplier(manifold->fibre, lambda, t, q, p);
  if (manifold->dae)
    return shk_dae_multiplier(manifold->dae, lambda, t, q, p);
  SHK_TRY(shk_velocity(e, manifold->velocity, t, q, p));
  SHK_TRY(shk_forces_and_constraints(e, manifold->work_n, manifold->jacobian, lambda, t, q, p,
                                     manifold->velocity));
  if (manifold->hessian)
    SHK_TRY(shk_hessian(e, manifold->hessian, t, q, p));
  SHK_TRY(shk_factor_in_metric(manifold->linear, e, manifold->jacobian, manifold->hessian));
  shk_acceleration(e, manifold->acceleration, manifold->hessian, manifold->velocity, -1,
                   manifold->work_n);
  shk_jacobian_times(e, manifold->work_m, manifold->jacobian, manifold->acceleration);
  shk_vector_add(lambda, 1, manifold->work_m, m);
  shk_linear_solve(manifold->linear, lambda);
  return shk_ok();
}

/* Evaluates G, and the Hessian of a general system, and factors A. */
static struct shk_status factor_at(struct shk_manifold *manifold, real t, const real *q,
                                   const real *p)
{
  struct shk_evaluator *const e = manifold->evaluator;
  if (!manifold->linear)
    return shk_failure(SHK_BAD_INPUT, "expected constraints g(q,t)", 0, 0);
  SHK_TRY(shk_jacobian(e, manifold->jacobian, t, q));
  if (manifold->hessian)
    SHK_TRY(shk_hessian(e, manifold->hessian, t, q, p));
  return shk_factor_in_metric(manifold->linear, e, manifold->jacobian, manifold->hessian);
}

struct shk_status shk_manifold_solve(struct shk_manifold *manifold, real *x, real t, const real *q,
                                     const real *p)
{
  SHK_TRY(factor_at(manifold, t, q, p));
  shk_linear_solve(manifold->linear, x);
  return shk_ok();
}

/* lambda <- A⁻¹ (A lambda). If A is singular, the result is the shortest lambda. */
struct shk_status shk_manifold_shortest(struct shk_manifold *manifold, real *lambda, real t,
                                        const real *q, const real *p)
{
  struct shk_evaluator *const e = manifold->evaluator;
  SHK_TRY(factor_at(manifold, t, q, p));
  shk_fill(manifold->work_n, 0, e->system->n);
  shk_jacobian_transposed_add(e, manifold->work_n, manifold->jacobian, 1, lambda);
  shk_acceleration(e, manifold->acceleration, manifold->hessian, NULL, 1, manifold->work_n);
  shk_jacobian_times(e, lambda, manifold->jacobian, manifold->acceleration);
  shk_linear_solve(manifold->linear, lambda);
  return shk_ok();
}

struct shk_status shk_manifold_residuals(struct shk_manifold *manifold, real *g, real *hidden,
                                         real t, const real *q, const real *p)
{
  struct shk_evaluator *e = manifold->evaluator;
  if (manifold->fibre)
    return shk_fibre_residuals(manifold->fibre, g, hidden, NULL, t, q, p);
  if (manifold->dae)
    return shk_dae_residuals(manifold->dae, g, hidden, t, q, p);
  SHK_TRY(shk_constraint(e, g, t, q));
  SHK_TRY(shk_jacobian(e, manifold->jacobian, t, q));
  SHK_TRY(shk_velocity(e, manifold->velocity, t, q, p));
  return shk_hidden_residual(e, hidden, manifold->jacobian, t, q, manifold->velocity);
}

/* Iterates q <- q - M⁻¹ G(q)ᵀ lambda by Newton's method until the residual stops decreasing. Each
 * correction is along the normals at the current point, so the result is the nearest point, up to
 * errors of second order in the violation. */
static struct shk_status project_q(struct shk_manifold *manifold, real *q, real t)
{
  struct shk_evaluator *e = manifold->evaluator;
  const int n = e->system->n;
  shk_iteration_begin(&manifold->iteration, &onto_constraint, 0);
  for (;;) {
    SHK_TRY(shk_constraint(e, manifold->work_m, t, q));
    SHK_TRY(shk_jacobian(e, manifold->jacobian, t, q));
    const real *const weights =
        shk_row_weights(e, manifold->weights, manifold->work_n, manifold->jacobian, q);
    manifold->iteration.rounding = REAL_EPSILON * shk_rows_size(e, weights, manifold->jacobian, q);
    SHK_TRY(shk_iteration_next(&manifold->iteration, shk_rows_norm(e, weights, manifold->work_m)));
    if (manifold->iteration.converged)
      return shk_ok();
    e->counters.iterations++;
    SHK_TRY(shk_factor_in_metric(manifold->linear, e, manifold->jacobian, NULL));
    shk_linear_solve(manifold->linear, manifold->work_m);
    shk_fill(manifold->work_n, 0, n);
    shk_jacobian_transposed_add(e, manifold->work_n, manifold->jacobian, -1, manifold->work_m);
    for (int i = 0; i < n; i++)
      q[i] += manifold->hessian ? manifold->work_n[i] : shk_over_mass(e, manifold->work_n[i], i);
  }
}

/* p <- p - G(q)ᵀ mu, where mu makes G H_p + g_t vanish to round-off. This round-off also accounts
 * for the velocity before the projection, because the projection may reduce the velocity itself to
 * round-off. */
static struct shk_status project_p(struct shk_manifold *manifold, real *p, real t, const real *q)
{
  struct shk_evaluator *e = manifold->evaluator;
  const int n = e->system->n;
  const int stride = 2 * n;
  SHK_TRY(shk_jacobian(e, manifold->jacobian, t, q));
  const real *const weights =
      shk_row_weights(e, manifold->weights, manifold->work_n, manifold->jacobian, q);
  shk_iteration_begin(&manifold->iteration, &onto_hidden, 0);
  for (bool first = true;; first = false) {
    SHK_TRY(shk_velocity(e, manifold->velocity, t, q, p));
    SHK_TRY(shk_hidden_residual(e, manifold->work_m, manifold->jacobian, t, q, manifold->velocity));
    real largest = 0;
    if (manifold->hessian) {
      /* H_p may consist entirely of the round-off of cancelling terms such as H_pp p and H_pq q. */
      SHK_TRY(shk_hessian(e, manifold->hessian, t, q, p));
      for (int i = 0; i < n; i++) {
        const real *row = manifold->hessian + (size_t)(n + i) * stride;
        real sum = real_fabs(manifold->velocity[i]);
        for (int j = 0; j < n; j++)
          sum += real_fabs(row[j] * q[j]) + real_fabs(row[n + j] * p[j]);
        largest = real_max(largest, sum);
      }
    }
    for (int i = 0; i < n; i++)
      manifold->work_n[i] = real_max(largest, real_fabs(manifold->velocity[i]));
    const real rounding =
        REAL_EPSILON * shk_rows_size(e, weights, manifold->jacobian, manifold->work_n);
    manifold->iteration.rounding =
        first ? rounding : real_max(rounding, manifold->iteration.rounding);
    SHK_TRY(shk_iteration_next(&manifold->iteration, shk_rows_norm(e, weights, manifold->work_m)));
    if (manifold->iteration.converged)
      return shk_ok();
    if (first || manifold->hessian)
      SHK_TRY(shk_factor_in_metric(manifold->linear, e, manifold->jacobian, manifold->hessian));
    else
      e->counters.factorizations++; /* each solve counts as a factorization */
    shk_linear_solve(manifold->linear, manifold->work_m);
    shk_jacobian_transposed_add(e, p, manifold->jacobian, -1, manifold->work_m);
  }
}

/* For constraints g(q,p), projects first onto g = 0 along the gradients of g and then onto psi = 0
 * along the fibre. */
static struct shk_status project_along_fibre(struct shk_manifold *manifold, real *q, real *p,
                                             real t)
{
  const int n = manifold->evaluator->system->n;
  real *dq = manifold->velocity, *dp = manifold->work_n;
  SHK_TRY(shk_fibre_onto_constraint(manifold->fibre, t, q, p));
  SHK_TRY(shk_fibre_onto_hidden(manifold->fibre, dq, dp, manifold->work_m, &manifold->iteration, t,
                                q, p));
  for (int i = 0; i < n; i++) {
    q[i] += dq[i];
    p[i] += dp[i];
  }
  return shk_ok();
}

struct shk_status shk_manifold_project(struct shk_manifold *manifold, real *q, real *p, real t)
{
  if (manifold->evaluator->system->m == 0)
    return shk_ok();
  if (manifold->fibre)
    return project_along_fibre(manifold, q, p, t);
  if (manifold->dae)
    return shk_dae_project(manifold->dae, q, p, t);
  SHK_TRY(project_q(manifold, q, t));
  return project_p(manifold, p, t, q);
}

struct shk_status shk_manifold_project_start(struct shk_manifold *manifold, real *q, real *p,
                                             real t)
{
  const struct shk_status status = shk_manifold_project(manifold, q, p, t);
  if (status.code != SHK_SINGULAR || !manifold->linear || shk_linear_rescues(manifold->linear))
    return status;
  SHK_TRY(shk_manifold_take_redundant(manifold));
  return shk_manifold_project(manifold, q, p, t);
}

struct shk_status shk_manifold_regularity(struct shk_manifold *manifold,
                                          struct shk_regularity *regularity, real t, const real *q,
                                          const real *p)
{
  return manifold->fibre
             ? shk_fibre_regularity(manifold->fibre, regularity, t, q, p)
             : shk_failure(SHK_BAD_INPUT, "expected constraints g(q,p), found g(q)", 0, 0);
}
