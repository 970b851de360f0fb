/*
 * Computes brackets and residuals of constraints g(q,p), and the two projections onto M^H, as
 * defined in shakedown/fibre.h. With J = [0 1; -1 0], so that {f,g} = f_zᵀ J g_z and X_f = J f_z,
 *
 *     psi_i = ∇g_iᵀ X_H      ∇psi_i = g_i,zz X_H - H_zz X_{g_i}
 *     N_ij = -∇psi_iᵀ X_{g_j}      {psi_i,H} = ∇psi_iᵀ X_H
 *
 * For a linear fibre, N is the second derivative of H along the fibre. If g is nonlinear in p, N is
 * not g_zᵀ H_zz g_z.
 */
#include "mechanics/system/fibre.h"

#include "mechanics/algebra/iteration.h"
#include "mechanics/algebra/jacobi.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/evaluate.h"

#include <shakedown/bind.h>

/* Maximum number of Newton iterations in the projection onto g = 0. */
#define LIMIT 60

static const struct shk_iteration_rule onto_constraint =
    SHK_TO_ROUND_OFF("no point of the constraints was found nearby: max|g| = %g");
/* With this rule, the line search determines whether the residual has stopped decreasing. */
static const struct shk_iteration_rule onto_hidden = {
    .stops = {.at_once = R(0.25)},
    .diverged = "no point of the hidden constraint was found nearby on the fibre: max|{g,H}| = %g",
    .at_limit = "no point of the hidden constraint was found nearby on the fibre: max|{g,H}| = %g "
                "(limit of iterations %g)"};
/* Largest number of halvings. The shortest step along a fibre is thus 2^-20 times the full Newton
 * step. */
#define HALVINGS 20

struct shk_fibre {
  struct shk_evaluator *evaluator;
  struct shk_fibre_flow *flow;
  int n, m;
  real *g_q, *g_p;   /* m x n */
  real *fields;      /* m x 2n: X_{g_i} */
  real *gradients;   /* m x 2n: ∇psi_i */
  real *hessian;     /* 2n x 2n */
  real *H_q, *field; /* n; X_H (2n) */
  real *N, *square;  /* m x m */
  real *residual, *scratch, *step, *trial, *norms;
  real *q, *p; /* n entries each: the trial point */
  int *pivots;
  struct shk_iteration iteration; /* used by the projection onto g = 0 */
};

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(shk_fibre, (.nm = 1), g_q, g_p), SHK_ARRAYS(shk_fibre, (.nm = 2), fields, gradients),
    SHK_ARRAY(shk_fibre, hessian, .nn = 4), SHK_ARRAYS(shk_fibre, (.n = 1), H_q, q, p),
    SHK_ARRAY(shk_fibre, field, .n = 2), SHK_ARRAYS(shk_fibre, (.mm = 1), N, square),
    SHK_ARRAYS(shk_fibre, (.m = 1), residual, scratch, step, trial, norms),
    SHK_INTEGERS(shk_fibre, pivots, .m = 1));

struct shk_status shk_bind_fibre(struct shk_fibre **created, const struct shk_binding *binding)
{
  struct shk_evaluator *evaluator = binding->evaluator;
  const struct shk_system *system = evaluator->system;
  if (!system->constraint_qp || !system->constraint_gradients || !system->constraint_second ||
      !system->hessian)
    return shk_failure(SHK_BAD_INPUT,
                       "constraints that depend on momenta need constraint_qp, "
                       "constraint_gradients, constraint_second and hessian",
                       0, 0);
  if (system->features & (SHK_RHEONOMIC | SHK_FORCES))
    return shk_refused("constraints on momenta are not supported together with time dependence or "
                       "generalized forces");
  struct shk_fibre *fibre = *created =
      shk_part(binding->workspace, sizeof *fibre, arrays, evaluator);
  SHK_TRY(shk_allocated(fibre));
  fibre->evaluator = evaluator;
  fibre->n = system->n;
  fibre->m = system->m;
  fibre->iteration.limit = LIMIT;
  return shk_fibre_flow_create(&fibre->flow, binding->workspace, evaluator);
}

/* Evaluates H_q, X_H, g_q, g_p and the fields X_{g_i} at (q,p). */
static struct shk_status first_derivatives(struct shk_fibre *fibre, real t, const real *q,
                                           const real *p)
{
  struct shk_evaluator *e = fibre->evaluator;
  const int n = fibre->n;
  SHK_TRY(shk_gradient(e, fibre->H_q, t, q, p));
  SHK_TRY(shk_velocity(e, fibre->field, t, q, p));
  SHK_TRY(shk_constraint_gradients(e, fibre->g_q, fibre->g_p, t, q, p));
  for (int i = 0; i < n; i++)
    fibre->field[n + i] = -fibre->H_q[i];
  for (int k = 0; k < fibre->m; k++)
    for (int i = 0; i < n; i++) {
      fibre->fields[2 * k * n + i] = fibre->g_p[k * n + i];
      fibre->fields[(2 * k + 1) * n + i] = -fibre->g_q[k * n + i];
    }
  return shk_ok();
}

struct shk_status shk_fibre_residuals(struct shk_fibre *fibre, real *g, real *psi, real *rounding,
                                      real t, const real *q, const real *p)
{
  const int n = fibre->n;
  SHK_TRY(shk_constraint_qp(fibre->evaluator, g, t, q, p));
  SHK_TRY(first_derivatives(fibre, t, q, p));
  real g_size = REAL_SMALLEST / REAL_EPSILON, psi_size = g_size;
  const real q_size = real_max_norm(q, n), p_size = real_max_norm(p, n);
  const real v_size = real_max_norm(fibre->field, n), f_size = real_max_norm(fibre->H_q, n);
  for (int k = 0; k < fibre->m; k++) {
    const real *g_q = fibre->g_q + k * n, *g_p = fibre->g_p + k * n;
    psi[k] = 0;
    for (int i = 0; i < n; i++)
      psi[k] += g_q[i] * fibre->field[i] - g_p[i] * fibre->H_q[i];
    const real a = real_max_norm(g_q, n), b = real_max_norm(g_p, n);
    g_size = real_max(g_size, a * q_size + b * p_size);
    psi_size = real_max(psi_size, a * v_size + b * f_size);
  }
  if (rounding) {
    rounding[0] = REAL_EPSILON * g_size;
    rounding[1] = REAL_EPSILON * psi_size;
  }
  return shk_ok();
}

/* Evaluates the first derivatives and ∇psi_i (m x 2n). */
static struct shk_status second_derivatives(struct shk_fibre *fibre, real t, const real *q,
                                            const real *p)
{
  const int size = 2 * fibre->n;
  SHK_TRY(first_derivatives(fibre, t, q, p));
  SHK_TRY(shk_constraint_second(fibre->evaluator, fibre->gradients, t, q, p, fibre->field));
  SHK_TRY(shk_hessian(fibre->evaluator, fibre->hessian, t, q, p));
  for (int k = 0; k < fibre->m; k++)
    for (int i = 0; i < size; i++)
      fibre->gradients[k * size + i] -=
          real_dot(fibre->hessian + i * size, fibre->fields + k * size, size);
  return shk_ok();
}

struct shk_status shk_fibre_matrix(struct shk_fibre *fibre, real *N, real *drift, real t,
                                   const real *q, const real *p)
{
  const int m = fibre->m, size = 2 * fibre->n;
  SHK_TRY(second_derivatives(fibre, t, q, p));
  for (int i = 0; i < m; i++) {
    const real *gradient = fibre->gradients + i * size;
    if (drift)
      drift[i] = real_dot(gradient, fibre->field, size);
    for (int j = 0; j < m; j++)
      N[i * m + j] = -real_dot(gradient, fibre->fields + j * size, size);
  }
  return shk_ok();
}

static struct shk_status factor_fibre(struct shk_fibre *fibre)
{
  fibre->evaluator->counters.factorizations++;
  if (!shk_lu_factor(fibre->N, fibre->pivots, fibre->m))
    return shk_failure(SHK_SINGULAR, "nondegeneracy fails: {{H,g_i},g_j} is singular", 0, 0);
  return shk_ok();
}

struct shk_status shk_fibre_multiplier(struct shk_fibre *fibre, real *lambda, real t, const real *q,
                                       const real *p)
{
  SHK_TRY(shk_fibre_matrix(fibre, fibre->N, lambda, t, q, p));
  SHK_TRY(factor_fibre(fibre));
  shk_lu_solve(lambda, fibre->N, fibre->pivots, fibre->m);
  return shk_ok();
}

struct shk_status shk_fibre_slide(struct shk_fibre *fibre, real *dq, real *dp, real t,
                                  const real *q, const real *p, const real *s)
{
  const struct shk_system *system = fibre->evaluator->system;
  if (!system->fibre)
    return shk_fibre_flow_integrate(fibre->flow, dq, dp, t, q, p, s);
  fibre->evaluator->counters.jacobian++;
  return shk_callback_status(system, system->fibre(system->context, dq, dp, q, p, s));
}

/* Returns the maximum over all entries of N of the sum of the absolute values of the entry's terms,
 * relative to the lengths of its gradients. */
static real cancellation_of_matrix(const struct shk_fibre *fibre)
{
  const int size = 2 * fibre->n;
  real largest = 0;
  for (int i = 0; i < fibre->m; i++)
    for (int j = 0; j < fibre->m; j++) {
      real sum = 0;
      for (int k = 0; k < size; k++) {
        real entry = real_fabs(fibre->gradients[i * size + k]);
        for (int l = 0; l < size; l++)
          entry += 2 * real_fabs(fibre->hessian[k * size + l] * fibre->fields[i * size + l]);
        sum += entry * real_fabs(fibre->fields[j * size + k]);
      }
      largest = real_max(largest, sum / (fibre->norms[i] * fibre->norms[j]));
    }
  return largest;
}

struct shk_status shk_fibre_regularity(struct shk_fibre *fibre, struct shk_regularity *r, real t,
                                       const real *q, const real *p)
{
  const int n = fibre->n, m = fibre->m;
  *r = (struct shk_regularity){0};
  SHK_TRY(shk_fibre_matrix(fibre, fibre->N, NULL, t, q, p));
  for (int i = 0; i < m; i++) {
    const real *field = fibre->fields + 2 * i * n;
    fibre->norms[i] = real_sqrt(real_dot(field, field, 2 * n));
    if (!(fibre->norms[i] > 0))
      fibre->norms[i] = 1; /* a vanishing gradient then appears as a zero eigenvalue */
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      const real size = fibre->norms[i] * fibre->norms[j];
      fibre->square[i * m + j] = (fibre->N[i * m + j] + fibre->N[j * m + i]) / (2 * size);
      if (i != j) {
        const real bracket = real_dot(fibre->g_q + i * n, fibre->g_p + j * n, n) -
                             real_dot(fibre->g_p + i * n, fibre->g_q + j * n, n);
        r->bracket = real_max(r->bracket, real_fabs(bracket) / size);
      }
    }
  r->cancellation = cancellation_of_matrix(fibre);
  shk_eigen_symmetric(fibre->square, NULL, m);
  for (int i = 0; i < m; i++) {
    const real value = fibre->square[i * m + i], size = real_fabs(value);
    r->negative += value < 0;
    r->largest = real_max(r->largest, size);
    r->least = i == 0 ? size : real_min(r->least, size);
    if (!real_isfinite(value))
      return shk_failure(SHK_NOT_FINITE, "{{H,g_i},g_j} is not finite", 0, 0);
  }
  return shk_ok();
}

struct shk_status shk_regularity_fault(const struct shk_regularity *r, enum shk_code code)
{
  const real root = real_sqrt(real_sqrt(REAL_EPSILON));
  if (r->bracket > root * root * root)
    return shk_failure(
        code,
        "coisotropy fails: max|{g_i,g_j}| = %g relative to the lengths of the gradients, so the "
        "flows of g leave g = 0, and it has no fibres of dimension m. Embedded in another space, "
        "it may have them (Gotay 1982): state that problem instead",
        (double)r->bracket, 0);
  if (!(r->least > 1000 * REAL_EPSILON * r->cancellation))
    return shk_failure(code,
                       "nondegeneracy fails: {{H,g_i},g_j} has an eigenvalue %g, which is within "
                       "the round-off of %g",
                       (double)r->least, (double)r->cancellation);
  return shk_ok();
}

struct shk_status shk_fibre_onto_constraint(struct shk_fibre *fibre, real t, real *q, real *p)
{
  const int n = fibre->n, m = fibre->m;
  real rounding[2];
  shk_iteration_begin(&fibre->iteration, &onto_constraint, 0);
  for (;;) {
    SHK_TRY(shk_fibre_residuals(fibre, fibre->residual, fibre->step, rounding, t, q, p));
    fibre->iteration.rounding = rounding[0];
    SHK_TRY(shk_iteration_next(&fibre->iteration, real_max_norm(fibre->residual, m)));
    if (fibre->iteration.converged)
      return shk_ok();
    fibre->evaluator->counters.iterations++;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        fibre->N[i * m + j] = real_dot(fibre->fields + 2 * i * n, fibre->fields + 2 * j * n, 2 * n);
    if (!shk_lu_factor(fibre->N, fibre->pivots, m))
      return shk_failure(SHK_SINGULAR, "the gradients of the constraints are dependent", 0, 0);
    shk_lu_solve(fibre->residual, fibre->N, fibre->pivots, m);
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        q[i] -= fibre->g_q[k * n + i] * fibre->residual[k];
        p[i] -= fibre->g_p[k * n + i] * fibre->residual[k];
      }
  }
}

/* Returns a bound, divided by eps, on the effect that rounding the trial point has on psi. The
 * bound is the largest row sum of |dpsi_i/dq_k| (|q_k| + max|dq|) and of the corresponding terms in
 * p. The largest increment is added to each coordinate, because a coordinate may nearly vanish. */
static real propagated_rounding(const struct shk_fibre *fibre, const real *dq, const real *dp)
{
  const int n = fibre->n;
  const real q_moved = real_max_norm(dq, n), p_moved = real_max_norm(dp, n);
  real largest = 0;
  for (int i = 0; i < fibre->m; i++) {
    const real *gradient = fibre->gradients + 2 * i * n;
    real sum = 0;
    for (int k = 0; k < n; k++)
      sum += real_fabs(gradient[k]) * (real_fabs(fibre->q[k]) + q_moved) +
             real_fabs(gradient[n + k]) * (real_fabs(fibre->p[k]) + p_moved);
    largest = real_max(largest, sum);
  }
  return largest;
}

/* Moves (q,p) along the fibre by s to obtain the trial point, and sets *norm to |psi| there. */
static struct shk_status try_slide(struct shk_fibre *fibre, real *norm, real *rounding, real *dq,
                                   real *dp, const real *s, real t, const real *q, const real *p)
{
  SHK_TRY(shk_fibre_slide(fibre, dq, dp, t, q, p, s));
  for (int i = 0; i < fibre->n; i++) {
    fibre->q[i] = q[i] + dq[i];
    fibre->p[i] = p[i] + dp[i];
  }
  SHK_TRY(
      shk_fibre_residuals(fibre, fibre->scratch, fibre->residual, rounding, t, fibre->q, fibre->p));
  *norm = real_max_norm(fibre->residual, fibre->m);
  return shk_ok();
}

struct shk_status shk_fibre_onto_hidden(struct shk_fibre *fibre, real *dq, real *dp, real *s,
                                        struct shk_iteration *iteration, real t, const real *q,
                                        const real *p)
{
  const int m = fibre->m;
  real residual, rounding[2] = {0}, propagated = 0;
  shk_fill(s, 0, m);
  shk_iteration_begin(iteration, &onto_hidden, 0);
  SHK_TRY(try_slide(fibre, &residual, rounding, dq, dp, s, t, q, p));
  for (;;) {
    const real before = residual;
    iteration->rounding = real_max(rounding[1], propagated);
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    fibre->evaluator->counters.iterations++;
    SHK_TRY(shk_fibre_matrix(fibre, fibre->N, NULL, t, fibre->q, fibre->p));
    propagated = REAL_EPSILON * propagated_rounding(fibre, dq, dp);
    SHK_TRY(factor_fibre(fibre));
    shk_copy(fibre->step, fibre->residual, m);
    shk_lu_solve(fibre->step, fibre->N, fibre->pivots, m);
    /* A step that does not halve the residual is shortened. Beyond a fold of the hidden constraint,
     * there is no solution nearby, and the full Newton step would lead to another branch. */
    real part = 1;
    for (int halving = 0;; halving++, part /= 2) {
      for (int i = 0; i < m; i++)
        fibre->trial[i] = s[i] + part * fibre->step[i];
      SHK_TRY(try_slide(fibre, &residual, rounding, dq, dp, fibre->trial, t, q, p));
      rounding[1] = real_max(rounding[1], propagated);
      if (residual < before * (1 - part / 2) || halving == HALVINGS)
        break;
      if (!(real_max(before, residual) <=
            onto_constraint.stops.at_rest * rounding[1])) /* also true if the norm is NaN */
        continue;
      /* no step makes progress, so stay at s and recompute its increments */
      if (!(residual < before))
        return shk_fibre_slide(fibre, dq, dp, t, q, p, s);
      shk_copy(s, fibre->trial, m);
      return shk_ok();
    }
    if (!(residual < before * (1 - part / 2)))
      return shk_failure(
          SHK_NOT_CONVERGED,
          "no point of the hidden constraint was found nearby on the fibre: max|{g,H}| = "
          "%g (rounding %g)",
          (double)residual, (double)rounding[1]);
    shk_copy(s, fibre->trial, m);
  }
}
