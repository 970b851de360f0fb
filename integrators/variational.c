/*
 * The constrained discrete Euler-Lagrange equations, where the discrete Lagrangian L_d(q0,q1)
 * approximates the action of L = ½ vᵀMv - V(q) over one step. They are a two-step recursion for
 * positions. The constrained discrete Legendre transforms convert it to a one-step recursion for
 * (q_k,p_k) and split the multiplier at q_k in two.
 *
 * The trapezoidal L_d yields RATTLE over Störmer-Verlet, and the midpoint L_d yields RATTLE over
 * the midpoint rule. The maps are the same, but they are derived from different equations and
 * implemented independently (Wendlandt & Marsden 1997; Marsden & West 2001, §3.5; Leyendecker,
 * Marsden & Ortiz 2008). The constraint force is -Gᵀ lambda, where lambda and mu have units of
 * force. Generalized forces are included according to the discrete Lagrange-d'Alembert principle
 * (Marsden & West, §3.2): h/2 Q is added on each side, evaluated with the velocity v of the step.
 * They are evaluated at (q0,t0) and (q1,t1), or twice at the midpoint. If g depends on t, it is
 * evaluated at the time that corresponds to its positions, and g_t is added to G M⁻¹ p in (4).
 *
 * The unknowns are d = q1 - q0 and lambda_k. They are found by Newton's method with a matrix that
 * omits V'' and the derivatives of Q. The matrix is exact for the trapezoidal Lagrangian without
 * forces. q and p are accumulated with compensated summation. Only H = ½ pᵀM⁻¹p + V with constant M
 * is supported, because for a general H, the Lagrangian is available only through a Legendre
 * transform.
 */

static const char equations[] =
    "D₂L_d(q_{k-1},q_k) + D₁L_d(q_k,q_{k+1}) = h/2 G(q_k)ᵀ (lambda_k + mu_{k-1})         (1)\n"
    "g(q_{k+1}) = 0                                                                      (2)\n"
    "p_k = -D₁L_d(q_k,q_{k+1}) + h/2 G(q_k)ᵀ lambda_k                                    (3)\n"
    "p_{k+1} = D₂L_d(q_k,q_{k+1}) - h/2 G(q_{k+1})ᵀ mu_k,  G(q_{k+1}) M⁻¹ p_{k+1} = 0    (4)\n"
    "L_d = h (½ vᵀMv - V_d),  v = (q1-q0)/h\n"
    "V_d = ½ (V(q0) + V(q1)) (trapezoidal) or V(½ (q0+q1)) (midpoint)\n";

#include <shakedown/iteration.h>
#include <shakedown/plugin.h>

/* Once a correction or residual has stopped decreasing, it counts as round-off if it is below this
 * many eps. */
#define ROUND_OFF 100

static const struct shk_iteration_rule corrections_rule = {
    .stops = SHK_BY_CORRECTION,
    .diverged = "the discrete Euler-Lagrange equations diverge" SHK_TRY_SMALLER_STEP,
    .stopped = "the discrete Euler-Lagrange equations do not converge: correction "
               "%g" SHK_TRY_SMALLER_STEP,
    .at_limit = "the discrete Euler-Lagrange equations reached the iteration limit: correction %g "
                "(limit %g)" SHK_TRY_SMALLER_STEP};

static const struct shk_iteration_rule hidden_rule = {
    .stops = SHK_BY_RESIDUAL,
    .diverged_code = SHK_NOT_FINITE,
    .diverged = "the momenta are not finite",
    .stopped = "the hidden constraint remains at %g (rounding: %g)"};

enum lagrangian { MIDPOINT, TRAPEZOIDAL };

struct variational {
  struct shk_evaluator *evaluator;
  int n, m;
  int lagrangian; /* enum lagrangian */
  bool forced;
  struct shk_linear *linear;
  /* n entries each; the forces are D₁V_d and D₂V_d, minus Q/2 */
  real *d, *q, *force0, *force1, *residual, *velocity, *dp;
  real *p; /* n entries: M d/h, the momentum at which generalized forces are evaluated */
  real *G0, *G1;
  real *change, *g; /* m */
  struct shk_iteration iteration;
};

/* Computes half of V_q - Q at (t,q) with the momentum of the step, and stores it in `out`. */
static struct shk_status half_force(struct variational *self, real *out, real t, const real *q,
                                    real h)
{
  for (int i = 0; i < self->n; i++)
    self->p[i] = self->evaluator->system->mass[i] * (self->d[i] / h);
  SHK_TRY(shk_gradient(self->evaluator, out, t, q, self->p));
  for (int i = 0; i < self->n; i++)
    out[i] /= 2;
  return shk_ok();
}

/* Computes those derivatives of V_d(q0,q0+d), minus forces, that depend on d. These are D₁V_d and,
 * for the midpoint Lagrangian, also D₂V_d, which has the same value. */
static struct shk_status potential_derivatives(struct variational *self,
                                               const struct shk_state *from, real h)
{
  if (self->lagrangian == TRAPEZOIDAL)
    return self->forced ? half_force(self, self->force0, from->t, from->q, h) : shk_ok();
  for (int i = 0; i < self->n; i++)
    self->q[i] = from->q[i] + (self->d[i] / 2 + from->q_carry[i]);
  SHK_TRY(half_force(self, self->force0, from->t + h / 2, self->q, h));
  shk_copy(self->force1, self->force0, self->n);
  return shk_ok();
}

/* Corrects d and lambda once, using the residuals of (2) and (3). The residual of (3) is M d/h + h
 * D₁V_d - p0 + h/2 G0ᵀ lambda. */
static struct shk_status correct_variational(struct variational *self, real *lambda,
                                             const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = self->evaluator;
  const real *mass = e->system->mass, t1 = from->t + h;
  const int n = self->n, m = self->m;
  SHK_TRY(potential_derivatives(self, from, h));
  for (int i = 0; i < n; i++) {
    self->q[i] = from->q[i] + (self->d[i] + from->q_carry[i]);
    self->residual[i] =
        (mass[i] * (self->d[i] / h) - from->p[i]) + (h * self->force0[i] - from->p_carry[i]);
  }
  shk_jacobian_transposed_add(e, self->residual, self->G0, h / 2, lambda);
  SHK_TRY(shk_constraint(e, self->g, t1, self->q));
  SHK_TRY(shk_jacobian(e, self->G1, t1, self->q));
  for (int i = 0; i < n; i++)
    self->velocity[i] = h * self->residual[i] / mass[i];
  shk_jacobian_times(e, self->change, self->G1, self->velocity);
  for (int i = 0; i < m; i++)
    self->change[i] = self->g[i] - self->change[i];
  e->counters.factorizations++;
  e->counters.iterations++;
  SHK_TRY(shk_linear_factor(
      self->linear, shk_linear_symmetric_only(self->linear) ? self->G0 : self->G1, self->G0));
  shk_linear_solve(self->linear, self->change);
  for (int i = 0; i < m; i++) {
    self->change[i] *= 2 / (h * h);
    lambda[i] += self->change[i];
  }
  shk_jacobian_transposed_add(e, self->residual, self->G0, h / 2, self->change);
  for (int i = 0; i < n; i++) {
    self->velocity[i] = -(h * self->residual[i] / mass[i]);
    self->d[i] += self->velocity[i];
  }
  *size = real_max_norm(self->velocity, n);
  return shk_ok();
}

static struct shk_status solve_variational(struct variational *self, real *lambda,
                                           const struct shk_state *from, real h)
{
  const real scale = real_max(real_max_norm(from->q, self->n), REAL_SMALLEST / REAL_EPSILON);
  self->evaluator->solving = &self->iteration;
  shk_iteration_begin(&self->iteration, &corrections_rule, REAL_EPSILON);
  for (;;) {
    real size;
    SHK_TRY(correct_variational(self, lambda, from, h, &size));
    SHK_TRY(shk_iteration_next(&self->iteration, size / scale));
    if (self->iteration.converged)
      return shk_ok();
  }
}

/* Computes mu and p1 by (4) from dp, which is the change of p without mu. The equation is linear,
 * and its solution is refined to round-off. */
static struct shk_status legendre_momenta(struct variational *self, struct shk_state *to,
                                          const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  const real t1 = from->t + h;
  shk_fill(to->mu, 0, self->m);
  e->counters.factorizations++;
  SHK_TRY(shk_linear_factor(self->linear, self->G1, self->G1));
  shk_iteration_restart(&self->iteration, &hidden_rule, 0);
  for (;;) {
    real scale = REAL_SMALLEST / REAL_EPSILON;
    shk_move_p(to, from, self->dp);
    for (int i = 0; i < self->n; i++) {
      self->velocity[i] = shk_over_mass(e, to->p[i], i);
      scale = real_max(scale, shk_over_mass(e, real_fabs(to->p[i]) + real_fabs(self->dp[i]), i));
    }
    SHK_TRY(shk_hidden_residual(e, self->change, self->G1, t1, to->q, self->velocity));
    scale *= real_max(real_max_norm(self->G1, e->row_start[self->m]), REAL_SMALLEST / REAL_EPSILON);
    self->iteration.rounding = REAL_EPSILON * scale;
    SHK_TRY(shk_iteration_next(&self->iteration, real_max_norm(self->change, self->m)));
    if (self->iteration.converged)
      return shk_ok();
    shk_linear_solve(self->linear, self->change);
    for (int i = 0; i < self->m; i++) {
      self->change[i] *= 2 / h;
      to->mu[i] += self->change[i];
    }
    shk_jacobian_transposed_add(e, self->dp, self->G1, -h / 2, self->change);
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct variational *self = method;
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n;
  const real t1 = from->t + h;
  SHK_TRY(shk_jacobian(e, self->G0, from->t, from->q));
  for (int i = 0; i < n; i++)
    self->d[i] = h * shk_over_mass(e, from->p[i], i);
  if (self->lagrangian == TRAPEZOIDAL)
    SHK_TRY(half_force(self, self->force0, from->t, from->q, h));
  shk_copy(to->lambda, from->lambda, self->m);
  SHK_TRY(solve_variational(self, to->lambda, from, h));
  SHK_TRY(potential_derivatives(self, from, h));

  /* Recomputes the increment M d/h from the equation that it satisfies, so that compensated
   * summation is effective. */
  shk_vector_scaled(self->dp, -h, self->force0, n);
  shk_jacobian_transposed_add(e, self->dp, self->G0, -h / 2, to->lambda);
  for (int i = 0; i < n; i++)
    self->velocity[i] = h * shk_over_mass(e, from->p[i] + (self->dp[i] + from->p_carry[i]), i);
  shk_move_q(to, from, self->velocity);
  if (self->lagrangian == TRAPEZOIDAL)
    SHK_TRY(half_force(self, self->force1, t1, to->q, h));
  shk_vector_add(self->dp, -h, self->force1, n);
  SHK_TRY(shk_jacobian(e, self->G1, t1, to->q));
  return legendre_momenta(self, to, from, h);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct variational *self = method;
  self->forced = (self->evaluator->system->features & SHK_FORCES) != 0;
  return shk_bind_linear(&self->linear, binding, NULL);
}

/* The entries follow the order of the enumeration. */
static const struct shk_choice lagrangians[] =
    SHK_LIST({"midpoint", "h (½ vᵀMv - V(½ (q0+q1))): RATTLE over the midpoint rule"},
             {"trapezoidal", "h (½ vᵀMv - ½ (V(q0)+V(q1))): RATTLE over Störmer-Verlet"});

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(variational, lagrangian, "lagrangian", lagrangians, "midpoint",
                        "the discrete Lagrangian, v = (q1-q0)/h"),
             SHK_INTEGER(variational, iteration.limit, "iterations", "1000",
                         "maximum number of iterations per step; a step that reaches it fails",
                         .minimum = "1", .maximum = "100000"));

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(variational, (.n = 1), d, q, force0, force1, residual, velocity, dp, p),
    SHK_ARRAYS(variational, (.entries = 1), G0, G1), SHK_ARRAYS(variational, (.m = 1), change, g));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_LOCAL_ORDERS(3, 3), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES),
             SHK_CONSTRAINTS(SHK_YES), SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator variational = {
    SHK_INTEGRATOR(variational, arrays, bind, step, NULL),
    .info = {.name = "variational",
             .family = "constrained and geometric",
             .summary = "constrained discrete Euler-Lagrange equations",
             .equations = equations,
             .citation = "Wendlandt & Marsden, Physica D 106 (1997) 223; Marsden & West, Acta "
                         "Numerica 10 (2001) 357, §3.5; Leyendecker, Marsden & Ortiz, ZAMM 88 "
                         "(2008) 677",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(variational, .integrators = SHK_INTEGRATORS(&variational));
