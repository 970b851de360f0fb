/*
 * The exact multiplier, the residuals of a state, and the projection onto the constraint manifold.
 * For constraints that depend on momenta see fibre.c; for general differential-algebraic equations
 * see dae.c.
 */
#include "mechanics/system/manifold.h"

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/system/dae.h"
#include "mechanics/system/fibre.h"
#include "mechanics/system/row_weights.h"

#include <shakedown/bind.h>

static const struct shk_iteration_rule onto_constraint =
    SHK_TO_ROUND_OFF("no consistent positions found near: max|g| = %g");
static const struct shk_iteration_rule onto_hidden =
    SHK_TO_ROUND_OFF("no consistent momenta found: max|G H_p| = %g");
#define LIMIT 60

struct shk_manifold {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  struct shk_iteration iteration;
  struct shk_fibre *fibre; /* constraints g(q,p): only this and the vectors are used */
  struct shk_dae *dae;     /* general DAEs: only this is used */
  real *jacobian;
  real *velocity, *work_n, *acceleration, *work_m, *weights;
  real *hessian; /* general systems: 2n x 2n; NULL: separable */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_manifold, jacobian, .entries = 1),
             SHK_ARRAYS(shk_manifold, (.n = 1), velocity, work_n, acceleration),
             SHK_ARRAYS(shk_manifold, (.m = 1), work_m, weights),
             SHK_ARRAY(shk_manifold, hessian, .nn = 4, .only = SHK_GENERAL));

struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  struct shk_manifold *w = *manifold = shk_part(binding->workspace, sizeof *w, arrays, e);
  SHK_TRY(shk_allocated(w));
  w->evaluator = e;
  w->iteration.limit = LIMIT;
  if (e->system->features & SHK_GENERAL_DAE)
    return shk_dae_create(&w->dae, binding->workspace, e);
  if (e->system->features & SHK_MOMENTUM_CONSTRAINT)
    return shk_bind_fibre(&w->fibre, binding);
  return shk_bind_linear(&w->linear, binding, NULL);
}

struct shk_status shk_manifold_keep_rows(struct shk_manifold *w)
{
  return w->linear ? shk_linear_keep_rows(w->linear) : shk_ok();
}

struct shk_status shk_manifold_take_redundant(struct shk_manifold *w)
{
  return w->linear ? shk_linear_rescue(w->linear)
                   : shk_failure(SHK_SINGULAR, "the constraints determine no multiplier", 0, 0);
}

bool shk_manifold_met_singular(const struct shk_manifold *w)
{
  return w->linear != NULL && shk_linear_rescued(w->linear);
}

struct shk_status shk_factor_in_metric(struct shk_linear *linear, struct shk_evaluator *e,
                                       const real *G, const real *hessian)
{
  const size_t n = (size_t)e->system->n;
  e->work.factorizations++;
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

struct shk_status shk_exact_multiplier(struct shk_manifold *w, real *lambda, real t, const real *q,
                                       const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  const int m = e->system->m;
  if (m == 0)
    return shk_ok();
  if (w->fibre)
    return shk_fibre_multiplier(w->fibre, lambda, t, q, p);
  if (w->dae)
    return shk_dae_multiplier(w->dae, lambda, t, q, p);
  SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
  SHK_TRY(shk_forces_and_constraints(e, w->work_n, w->jacobian, lambda, t, q, p, w->velocity));
  if (w->hessian)
    SHK_TRY(shk_hessian(e, w->hessian, t, q, p));
  SHK_TRY(shk_factor_in_metric(w->linear, e, w->jacobian, w->hessian));
  shk_acceleration(e, w->acceleration, w->hessian, w->velocity, -1, w->work_n);
  shk_jacobian_times(e, w->work_m, w->jacobian, w->acceleration);
  shk_vector_add(lambda, 1, w->work_m, m);
  shk_linear_solve(w->linear, lambda);
  return shk_ok();
}

/* Evaluates G, and the Hessian of a general system, and factors A. */
static struct shk_status factor_at(struct shk_manifold *w, real t, const real *q, const real *p)
{
  struct shk_evaluator *const e = w->evaluator;
  if (!w->linear)
    return shk_failure(SHK_BAD_INPUT, "expected constraints g(q,t)", 0, 0);
  SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
  if (w->hessian)
    SHK_TRY(shk_hessian(e, w->hessian, t, q, p));
  return shk_factor_in_metric(w->linear, e, w->jacobian, w->hessian);
}

struct shk_status shk_manifold_solve(struct shk_manifold *w, real *x, real t, const real *q,
                                     const real *p)
{
  SHK_TRY(factor_at(w, t, q, p));
  shk_linear_solve(w->linear, x);
  return shk_ok();
}

/* lambda <- A⁻¹ (A lambda): where A is singular, solutions are the shortest. */
struct shk_status shk_manifold_shortest(struct shk_manifold *w, real *lambda, real t, const real *q,
                                        const real *p)
{
  struct shk_evaluator *const e = w->evaluator;
  SHK_TRY(factor_at(w, t, q, p));
  shk_fill(w->work_n, 0, e->system->n);
  shk_jacobian_transposed_add(e, w->work_n, w->jacobian, 1, lambda);
  shk_acceleration(e, w->acceleration, w->hessian, NULL, 1, w->work_n);
  shk_jacobian_times(e, lambda, w->jacobian, w->acceleration);
  shk_linear_solve(w->linear, lambda);
  return shk_ok();
}

struct shk_status shk_manifold_residuals(struct shk_manifold *w, real *g, real *hidden, real t,
                                         const real *q, const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  if (w->fibre)
    return shk_fibre_residuals(w->fibre, g, hidden, NULL, t, q, p);
  if (w->dae)
    return shk_dae_residuals(w->dae, g, hidden, t, q, p);
  SHK_TRY(shk_constraint(e, g, t, q));
  SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
  SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
  return shk_hidden_residual(e, hidden, w->jacobian, t, q, w->velocity);
}

/* Iterates q <- q - M⁻¹ G(q)ᵀ lambda by Newton's method until the residual has stopped falling.
 * Each correction is along the present normals: the result is the nearest point to second order in
 * the violation. */
static struct shk_status project_q(struct shk_manifold *w, real *q, real t)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n;
  shk_iteration_begin(&w->iteration, &onto_constraint, 0);
  for (;;) {
    SHK_TRY(shk_constraint(e, w->work_m, t, q));
    SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
    const real *const weights = shk_row_weights(e, w->weights, w->work_n, w->jacobian, q);
    w->iteration.rounding = REAL_EPSILON * shk_rows_size(e, weights, w->jacobian, q);
    SHK_TRY(shk_iteration_next(&w->iteration, shk_rows_norm(e, weights, w->work_m)));
    if (w->iteration.converged)
      return shk_ok();
    e->work.iterations++;
    SHK_TRY(shk_factor_in_metric(w->linear, e, w->jacobian, NULL));
    shk_linear_solve(w->linear, w->work_m);
    shk_fill(w->work_n, 0, n);
    shk_jacobian_transposed_add(e, w->work_n, w->jacobian, -1, w->work_m);
    for (int i = 0; i < n; i++)
      q[i] += w->hessian ? w->work_n[i] : shk_over_mass(e, w->work_n[i], i);
  }
}

/* Replaces p by p - G(q)ᵀ mu with G H_p + g_t = 0, refined to round-off. That is relative to the
 * velocity before the projection, too: it may leave nothing else of it. */
static struct shk_status project_p(struct shk_manifold *w, real *p, real t, const real *q)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n;
  const int stride = 2 * n;
  SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
  const real *const weights = shk_row_weights(e, w->weights, w->work_n, w->jacobian, q);
  shk_iteration_begin(&w->iteration, &onto_hidden, 0);
  for (bool first = true;; first = false) {
    SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
    SHK_TRY(shk_hidden_residual(e, w->work_m, w->jacobian, t, q, w->velocity));
    real largest = 0;
    if (w->hessian) {
      /* H_p may be entirely round-off of terms like H_pp p and H_pq q that cancel. */
      SHK_TRY(shk_hessian(e, w->hessian, t, q, p));
      for (int i = 0; i < n; i++) {
        const real *row = w->hessian + (size_t)(n + i) * stride;
        real sum = real_fabs(w->velocity[i]);
        for (int j = 0; j < n; j++)
          sum += real_fabs(row[j] * q[j]) + real_fabs(row[n + j] * p[j]);
        largest = real_max(largest, sum);
      }
    }
    for (int i = 0; i < n; i++)
      w->work_n[i] = real_max(largest, real_fabs(w->velocity[i]));
    const real rounding = REAL_EPSILON * shk_rows_size(e, weights, w->jacobian, w->work_n);
    w->iteration.rounding = first ? rounding : real_max(rounding, w->iteration.rounding);
    SHK_TRY(shk_iteration_next(&w->iteration, shk_rows_norm(e, weights, w->work_m)));
    if (w->iteration.converged)
      return shk_ok();
    if (first || w->hessian)
      SHK_TRY(shk_factor_in_metric(w->linear, e, w->jacobian, w->hessian));
    else
      e->work.factorizations++; /* each solve is counted as a factorization */
    shk_linear_solve(w->linear, w->work_m);
    shk_jacobian_transposed_add(e, p, w->jacobian, -1, w->work_m);
  }
}

/* For constraints g(q,p): onto g = 0 along its gradients, then onto psi = 0 along the fibre. */
static struct shk_status project_along_fibre(struct shk_manifold *w, real *q, real *p, real t)
{
  const int n = w->evaluator->system->n;
  real *dq = w->velocity, *dp = w->work_n;
  SHK_TRY(shk_fibre_onto_constraint(w->fibre, t, q, p));
  SHK_TRY(shk_fibre_onto_hidden(w->fibre, dq, dp, w->work_m, &w->iteration, t, q, p));
  for (int i = 0; i < n; i++) {
    q[i] += dq[i];
    p[i] += dp[i];
  }
  return shk_ok();
}

struct shk_status shk_manifold_project(struct shk_manifold *w, real *q, real *p, real t)
{
  if (w->evaluator->system->m == 0)
    return shk_ok();
  if (w->fibre)
    return project_along_fibre(w, q, p, t);
  if (w->dae)
    return shk_dae_project(w->dae, q, p, t);
  SHK_TRY(project_q(w, q, t));
  return project_p(w, p, t, q);
}

struct shk_status shk_manifold_project_start(struct shk_manifold *w, real *q, real *p, real t)
{
  const struct shk_status status = shk_manifold_project(w, q, p, t);
  if (status.code != SHK_SINGULAR || !w->linear || shk_linear_rescues(w->linear))
    return status;
  SHK_TRY(shk_manifold_take_redundant(w));
  return shk_manifold_project(w, q, p, t);
}

struct shk_status shk_manifold_regularity(struct shk_manifold *w, struct shk_regularity *regularity,
                                          real t, const real *q, const real *p)
{
  return w->fibre ? shk_fibre_regularity(w->fibre, regularity, t, q, p)
                  : shk_failure(SHK_BAD_INPUT, "expected constraints g(q,p), found g(q)", 0, 0);
}
