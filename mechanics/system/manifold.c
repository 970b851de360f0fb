/*
 * The exact multiplier, the residuals of a state, and the projection onto the constraint manifold.
 * For constraints that depend on momenta see fibre.c; for general differential-algebraic equations
 * see dae.c.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/system/dae.h"
#include "mechanics/system/fibre.h"

#include <shakedown/solve.h>

/* Both projections end at the rounding of their residual. */
#define PROJECTION(what)                                                                           \
  {                                                                                                \
    .at_once = R(0.25), .slow = 64, .from = 1, .diverged = what, .limit = what                     \
  }
static const struct shk_iteration_rule onto_constraint =
    PROJECTION("no consistent positions found near: max|g| = %g");
static const struct shk_iteration_rule onto_hidden =
    PROJECTION("no consistent momenta found: max|G H_p| = %g");
#define LIMIT 60

struct shk_manifold {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  struct shk_iteration iteration;
  struct shk_fibre *fibre; /* constraints g(q,p): only this and the vectors are used */
  struct shk_dae *dae;     /* general DAEs: only this is used */
  real *jacobian;
  real *velocity, *work_n, *acceleration, *work_m;
  real *hessian; /* general systems: 2n x 2n */
};

static bool is_general(const struct shk_manifold *w)
{
  return shk_is_general(w->evaluator->system);
}

static const struct shk_array arrays[] = {
    SHK_ARRAY(shk_manifold, jacobian, .entries = 1),
    SHK_ARRAYS(shk_manifold, velocity, acceleration, .n = 1),
    SHK_ARRAY(shk_manifold, work_m, .m = 1),
    SHK_ARRAY(shk_manifold, hessian, .nn = 4, .only = SHK_GENERAL_HAMILTONIAN | SHK_FORCES),
    {0}};

struct shk_status shk_manifold_create(struct shk_manifold **manifold,
                                      struct shk_workspace *workspace,
                                      struct shk_evaluator *evaluator)
{
  const unsigned features = evaluator->system->features;
  struct shk_manifold *w = *manifold = shk_part(workspace, sizeof *w, arrays, evaluator);
  if (!w)
    return shk_no_memory();
  w->evaluator = evaluator;
  w->iteration.limit = LIMIT;
  if (features & SHK_GENERAL_DAE)
    return shk_dae_create(&w->dae, workspace, evaluator);
  if (features & SHK_MOMENTUM_CONSTRAINT)
    return shk_fibre_create(&w->fibre, workspace, evaluator);
  return shk_linear_create(&w->linear, workspace, evaluator, NULL);
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

/* Factors G W Gᵀ of a general system, else G M⁻¹ Gᵀ. W: rows 2n apart; NULL: the identity. */
static struct shk_status factor(struct shk_manifold *w, const real *W)
{
  w->evaluator->work.factorizations++;
  return is_general(w)
             ? shk_linear_factor_metric(w->linear, w->jacobian, W, 2 * w->evaluator->system->n)
             : shk_linear_factor(w->linear, w->jacobian, w->jacobian);
}

struct shk_status shk_exact_multiplier(struct shk_manifold *w, real *lambda, real t, const real *q,
                                       const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, m = e->system->m, stride = 2 * n;
  const real *H_pq = NULL, *H_pp = NULL;
  if (m == 0)
    return shk_ok();
  if (w->fibre)
    return shk_fibre_multiplier(w->fibre, lambda, t, q, p);
  if (w->dae)
    return shk_dae_multiplier(w->dae, lambda, t, q, p);
  SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
  SHK_TRY(shk_forces_and_constraints(e, w->work_n, w->jacobian, lambda, t, q, p, w->velocity));
  if (is_general(w)) {
    SHK_TRY(shk_hessian(e, w->hessian, t, q, p));
    H_pq = w->hessian + (size_t)n * stride;
    H_pp = H_pq + n;
  }
  SHK_TRY(factor(w, H_pp));
  for (int i = 0; i < n; i++) {
    w->acceleration[i] = H_pp ? 0 : -w->work_n[i] / e->system->mass[i];
    for (int j = 0; H_pp && j < n; j++)
      w->acceleration[i] += H_pq[(size_t)i * stride + j] * w->velocity[j] -
                            H_pp[(size_t)i * stride + j] * w->work_n[j];
  }
  shk_jacobian_times(e, w->work_m, w->jacobian, w->acceleration);
  for (int i = 0; i < m; i++)
    lambda[i] += w->work_m[i];
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

/* Newton on q <- q - M⁻¹ G(q)ᵀ lambda until the residual has stopped falling. Each correction is
 * along the current normals, so that the result is the nearest point to second order in the
 * violation. */
static struct shk_status project_q(struct shk_manifold *w, real *q, real t)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, m = e->system->m;
  shk_iteration_begin(&w->iteration, &onto_constraint, 0);
  for (;;) {
    SHK_TRY(shk_constraint(e, w->work_m, t, q));
    SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
    for (int i = 0; i < n; i++)
      w->work_n[i] = real_fabs(q[i]);
    w->iteration.rounding = REAL_EPSILON * shk_jacobian_size(e, w->jacobian, w->work_n);
    SHK_TRY(shk_iteration_next(&w->iteration, real_max_norm(w->work_m, m)));
    if (w->iteration.converged)
      return shk_ok();
    e->work.iterations++;
    SHK_TRY(factor(w, NULL));
    shk_linear_solve(w->linear, w->work_m);
    for (int i = 0; i < n; i++)
      w->work_n[i] = 0;
    shk_jacobian_transposed_add(e, w->work_n, w->jacobian, -1, w->work_m);
    for (int i = 0; i < n; i++)
      q[i] += is_general(w) ? w->work_n[i] : shk_over_mass(e, w->work_n[i], i);
  }
}

/* p <- p - G(q)ᵀ mu with G H_p = 0, refined to round-off. */
static struct shk_status project_p(struct shk_manifold *w, real *p, real t, const real *q)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, m = e->system->m;
  const int stride = 2 * n;
  SHK_TRY(shk_jacobian(e, w->jacobian, t, q));
  shk_iteration_begin(&w->iteration, &onto_hidden, 0);
  for (bool first = true;; first = false) {
    SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
    SHK_TRY(shk_hidden_residual(e, w->work_m, w->jacobian, t, q, w->velocity));
    real largest = 0;
    if (is_general(w)) {
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
    w->iteration.rounding = REAL_EPSILON * shk_jacobian_size(e, w->jacobian, w->work_n);
    SHK_TRY(shk_iteration_next(&w->iteration, real_max_norm(w->work_m, m)));
    if (w->iteration.converged)
      return shk_ok();
    if (first || is_general(w))
      SHK_TRY(factor(w, is_general(w) ? w->hessian + (size_t)n * stride + n : NULL));
    else
      e->work.factorizations++; /* each solve counts as a factorization */
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
                  : shk_failure(SHK_BAD_INPUT, "the constraints do not depend on momenta", 0, 0);
}
