/*
 * The penalty method. It replaces the constraint with a stiff spring, V + ½ k ‖g‖², and optionally
 * damps g' = G v.
 *
 * Over Störmer-Verlet (H = ½ pᵀM⁻¹p + V(q)), damping and Q are implicit in the first half of the
 * step and explicit in the second, so the method stays symmetric. Each function is evaluated at the
 * time that corresponds to its positions. The factors of -Gᵀ are reported as lambda (at q0) and mu
 * (at q1).
 *
 * At fixed k, the method does not converge to the constrained motion as h goes to 0. It converges
 * to a motion that differs by O(1/k) in q and O(1/√k) in p. The lambda of this motion oscillates
 * about the multiplier with an amplitude as large as the multiplier itself. The stiffest frequency
 * ω is reported at the start of a run. Over Verlet, the linear stability limit is also reported,
 * with or without damping. A step size beyond this limit is not refused, because the violation may
 * saturate at a finite amplitude rather than blow up. If a step produces a non-finite state, the
 * message states the limit at the last position before the state grew. Resonances can make smaller
 * step sizes unstable too.
 *
 * q and p are accumulated with compensated summation. Constraints that depend on p are not
 * supported.
 *
 * Source: Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Hairer, Lubich & Wanner, GNI, §XIV.3.
 */

static const char equations[] =
    "q' = H_p,  p' = -H_q + Q - Gᵀ (k g + c (G H_p + g_t))                          (1)\n"
    "over Störmer-Verlet, without g_t and Q, v½ = M⁻¹ p½:\n"
    "p½ = p0 - h/2 (V_q(q0) + G(q0)ᵀ (k g(q0) + c G(q0) v½))                        (2)\n"
    "q1 = q0 + h v½                                                                 (3)\n"
    "p1 = p½ - h/2 (V_q(q1) + G(q1)ᵀ (k g(q1) + c G(q1) v½))                        (4)\n"
    "Records contain the stiffest frequency ω at the start, ω² = k λ_max(G M⁻¹ Gᵀ), as\n"
    "method-stiff-frequency, and over Verlet 2/ω as method-stability-limit.\n";

#include "integrators/kit/ode.h"
#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

/* Maximum number of Newton iterations. The iteration stops earlier if it does not contract. */
#define HALF_KICK_LIMIT 1000
/* Largest number of constraints for which damping over Verlet is supported, because it requires
 * solves with a dense matrix of this size. */
#define MAX_DAMPED 2000
/* Maximum number of power iterations for λ_max, and the tolerance of the Rayleigh quotients. */
#define POWER_LIMIT 20000
#define POWER_TOLERANCE R(1e-12)

struct penalty {
  struct shk_evaluator *evaluator;
  int n, m;
  real stiffness, damping;
  int base; /* 0 for Störmer-Verlet; otherwise, 1 + the index into shk_one_step_choices */
  const struct shk_values *base_options;
  struct shk_one_step *one_step;
  real *y, *dy, *G, *force, *velocity, *displacement, *p_half, *rate, *lambda;
  real *g, *g_t; /* m */
  /* the eigenvector (m entries), Gᵀ times it, and M⁻¹ times that product (n entries each) */
  real *eigenvector, *pull, *moved;
  real *start_lambda; /* where to store the next lambda; NULL if it is not stored */
  /* Damping over Störmer-Verlet needs the matrix (1 + c h/2 G M⁻¹ Gᵀ). */
  real *matrix;
  int *pivots;
  /* Generalized forces over Störmer-Verlet make the first half kick implicit. */
  struct shk_newton *newton;
  real *hessian, *weights;
  const struct shk_state *from;
  real half;
  real *constraint_work; /* receives the constraint work; NULL if it is not measured */
  /* the last q whose size was at most twice that of the initial q, and the initial size */
  real *usual, reach;
};

/* Computes lambda = k g + c (G v + g_t), force = -H_q + Q - Gᵀ lambda, and G. If v is NULL, there
 * is no damping. */
static struct shk_status stiff_force(struct penalty *self, real *lambda, real *force, real t,
                                     const real *q, const real *p, const real *v)
{
  struct shk_evaluator *e = self->evaluator;
  SHK_TRY(shk_gradient(e, force, t, q, p));
  SHK_TRY(shk_constraint(e, lambda, t, q));
  SHK_TRY(shk_jacobian(e, self->G, t, q));
  for (int i = 0; i < self->m; i++)
    lambda[i] *= self->stiffness;
  if (v && self->damping != 0) {
    SHK_TRY(shk_hidden_residual(e, self->rate, self->G, t, q, v));
    shk_vector_add(lambda, self->damping, self->rate, self->m);
  }
  shk_negate(force, self->n);
  shk_jacobian_transposed_add(e, force, self->G, -1, lambda);
  return shk_ok();
}

/* Evaluates the slope according to (1). */
static struct shk_status slope_penalty(void *user, real *f, real t, const real *y)
{
  struct penalty *self = user;
  const int n = self->n;
  SHK_TRY(shk_velocity(self->evaluator, f, t, y, y + n));
  SHK_TRY(stiff_force(self, self->lambda, f + n, t, y, y + n, f));
  shk_note_first(&self->start_lambda, self->lambda, self->m);
  return shk_ok();
}

/* Adds the implicit damping of the first half kick to lambda and to dp. On entry, dp contains the
 * remainder of the kick. The equation for s = G v½ + g_t is (1 + c h/2 G M⁻¹ Gᵀ) s = G M⁻¹ (p + dp)
 * + g_t. */
static struct shk_status damp_penalty(struct penalty *self, real *lambda, real *dp,
                                      const struct shk_state *from, real half)
{
  struct shk_evaluator *e = self->evaluator;
  const int m = self->m;
  const real a = half * self->damping;
  for (int i = 0; i < self->n; i++)
    self->velocity[i] = shk_over_mass(e, from->p[i] + dp[i], i);
  SHK_TRY(shk_hidden_residual(e, self->rate, self->G, from->t, from->q, self->velocity));
  for (int j = 0; j < m; j++) {
    shk_weighted_row(e, self->y, self->G, j, self->G, self->velocity);
    for (int i = 0; i < m; i++)
      self->matrix[(size_t)i * (size_t)m + (size_t)j] = a * self->y[i] + (i == j ? 1 : 0);
  }
  e->counters.factorizations++;
  if (!shk_lu_factor(self->matrix, self->pivots, m))
    return shk_failure(SHK_SINGULAR, "the matrix of the implicit damping is singular", 0, 0);
  shk_lu_solve(self->rate, self->matrix, self->pivots, m);
  for (int i = 0; i < m; i++) {
    self->rate[i] *= self->damping;
    lambda[i] += self->rate[i];
  }
  shk_jacobian_transposed_add(e, dp, self->G, -half, self->rate);
  return shk_ok();
}

/* Computes lambda and dp of the first half kick by (2), without generalized forces. */
static struct shk_status free_half(struct penalty *self, real *lambda, real *dp,
                                   const struct shk_state *from, real half)
{
  SHK_TRY(stiff_force(self, lambda, self->force, from->t, from->q, from->p, NULL));
  shk_vector_scaled(dp, half, self->force, self->n);
  return self->damping != 0 ? damp_penalty(self, lambda, dp, from, half) : shk_ok();
}

/* Computes F, which is (2) with Q, and its Jacobian 1 - h/2 (Q_p - c G0ᵀ G0 M⁻¹). */
static struct shk_status half_stage(void *user, real *F, real *J, const real *x)
{
  struct penalty *self = user;
  struct shk_evaluator *e = self->evaluator;
  const struct shk_state *from = self->from;
  const int n = self->n;
  for (int i = 0; i < n; i++)
    self->velocity[i] = shk_over_mass(e, x[i], i);
  SHK_TRY(stiff_force(self, self->lambda, self->force, from->t, from->q, x, self->velocity));
  SHK_TRY(shk_hessian(e, self->hessian, from->t, from->q, x));
  const struct shk_stage_matrix matrix = shk_stage_matrix(J, n);
  shk_add_identity(matrix, 0, 0, n);
  shk_add_block(matrix, 0, 0, self->half, self->hessian + n, 2 * n, n);
  for (int i = 0; i < n; i++)
    F[i] = (x[i] - from->p[i]) - from->p_carry[i] - self->half * self->force[i];
  for (int k = 0; k < self->m; k++)
    for (int a = e->row_start[k]; a < e->row_start[k + 1]; a++)
      for (int b = e->row_start[k]; b < e->row_start[k + 1]; b++)
        *shk_stage_row(matrix, e->columns[a], e->columns[b]) +=
            shk_over_mass(e, self->half * self->damping * self->G[a] * self->G[b], e->columns[b]);
  return shk_ok();
}

/* Computes lambda and dp by (2), with generalized forces that depend on p½. */
static struct shk_status forced_half(struct penalty *self, real *lambda, real *dp,
                                     const struct shk_state *from, real half)
{
  const real size = shk_size_of(from->p, self->n);
  self->from = from;
  self->half = half;
  shk_copy(self->p_half, from->p, self->n);
  shk_fill(self->weights, size, self->n);
  SHK_TRY(shk_newton_solve(self->newton, self->evaluator, self->p_half, self->n, self->weights,
                           half_stage, self));
  for (int i = 0; i < self->n; i++)
    self->velocity[i] = self->p_half[i] / self->evaluator->system->mass[i];
  SHK_TRY(stiff_force(self, lambda, self->force, from->t, from->q, self->p_half, self->velocity));
  shk_vector_scaled(dp, half, self->force, self->n);
  return shk_ok();
}

static struct shk_status verlet_penalty(struct penalty *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n;
  const real half = h / 2;
  real *dp = self->dy;
  SHK_TRY(self->newton ? forced_half(self, to->lambda, dp, from, half)
                       : free_half(self, to->lambda, dp, from, half));
  for (int i = 0; i < n; i++) {
    self->p_half[i] = from->p[i] + (dp[i] + from->p_carry[i]);
    self->velocity[i] = shk_over_mass(e, self->p_half[i], i);
    self->displacement[i] = h * self->velocity[i];
  }
  shk_move_q(to, from, self->displacement); /* (3), then (4) */
  SHK_TRY(stiff_force(self, to->mu, self->force, from->t + h, to->q, self->p_half, self->velocity));
  shk_vector_add(dp, half, self->force, n);
  shk_move_p(to, from, dp);
  return shk_ok();
}

/* Computes the spring's energy ½ k ‖g‖² at a state, and the power k g·g_t - c (G v + g_t)·G v of
 * the other terms. */
static struct shk_status spring_at(struct penalty *self, real *energy, real *power, real t,
                                   const real *q, const real *p)
{
  struct shk_evaluator *e = self->evaluator;
  const real *const g = self->g, *const normal = self->rate;
  *energy = *power = 0;
  SHK_TRY(shk_constraint(e, self->g, t, q));
  SHK_TRY(shk_jacobian(e, self->G, t, q));
  SHK_TRY(shk_velocity(e, self->velocity, t, q, p));
  shk_jacobian_times(e, self->rate, self->G, self->velocity);
  for (int i = 0; i < self->m; i++) {
    *energy += self->stiffness / 2 * g[i] * g[i];
    *power -= self->damping * normal[i] * normal[i];
  }
  if (!(e->system->features & SHK_RHEONOMIC))
    return shk_ok();
  SHK_TRY(shk_constraint_rate(e, self->g_t, t, q));
  for (int i = 0; i < self->m; i++)
    *power += self->g_t[i] * (self->stiffness * g[i] - self->damping * normal[i]);
  return shk_ok();
}

/* Returns the work of the penalty force in a step, or NaN if it cannot be evaluated. The work is
 * the decrease in the spring's energy plus the integral of the power, which is computed by the
 * trapezoidal rule. */
static real work_of(struct penalty *self, const struct shk_state *to, const struct shk_state *from,
                    real h)
{
  const struct shk_counters before = self->evaluator->counters;
  real energy[2], power[2];
  const bool ok =
      spring_at(self, &energy[0], &power[0], from->t, from->q, from->p).code == SHK_OK &&
      spring_at(self, &energy[1], &power[1], from->t + h, to->q, to->p).code == SHK_OK;
  self->evaluator->counters = before;
  return ok ? energy[0] - energy[1] + h / 2 * (power[0] + power[1]) : NAN;
}

/* Returns the largest eigenvalue λ_max of G M⁻¹ Gᵀ (for general systems, of G H_pp Gᵀ) at a state,
 * computed by the power method. Returns NaN if the matrix cannot be evaluated or the iteration does
 * not converge. */
static real largest_eigenvalue(struct penalty *self, const struct shk_state *at)
{
  struct shk_evaluator *e = self->evaluator;
  real value = 0;
  if ((self->hessian && shk_hessian(e, self->hessian, at->t, at->q, at->p).code != SHK_OK) ||
      shk_jacobian(e, self->G, at->t, at->q).code != SHK_OK)
    return NAN;
  /* The initial vector has none of the symmetries of chains and lattices, which keeps it from being
   * orthogonal to the eigenvector. */
  for (int i = 0; i < self->m; i++)
    self->eigenvector[i] = 1 + real_sin((real)i + 1) / 3;
  for (int iteration = 0; iteration <= POWER_LIMIT; iteration++) {
    shk_fill(self->pull, 0, self->n);
    shk_jacobian_transposed_add(
        e, self->pull, self->G,
        1 / real_sqrt(real_dot(self->eigenvector, self->eigenvector, self->m)), self->eigenvector);
    shk_acceleration(e, self->moved, self->hessian, NULL, 1, self->pull); /* multiplies by M⁻¹ */
    shk_jacobian_times(e, self->eigenvector, self->G, self->moved);
    const real before = value;
    value = real_dot(self->moved, self->pull, self->n);
    if (real_fabs(value - before) <= POWER_TOLERANCE * value)
      return value;
    if (!(value > 0))
      return NAN;
  }
  return NAN;
}

/* Fails if the step produced a non-finite state and h exceeds the linear stability limit at the
 * last position before the state grew. */
static struct shk_status stays_finite(struct penalty *self, const struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  const real reach = real_max_norm(from->q, self->n);
  if (self->reach == 0)
    self->reach = reach;
  if (reach <= 2 * self->reach)
    shk_copy(self->usual, from->q, self->n);
  if (real_isfinite(real_max_norm(to->p, self->n)) &&
      real_isfinite(real_max_norm(to->lambda, self->m)) &&
      real_isfinite(real_max_norm(to->mu, self->m)))
    return shk_ok();
  const struct shk_counters before = self->evaluator->counters;
  const struct shk_state usual = {.t = from->t, .q = self->usual, .p = from->p};
  const real eigenvalue = largest_eigenvalue(self, &usual);
  self->evaluator->counters = before;
  if (!(h * h * self->stiffness * eigenvalue > 4))
    return shk_ok();
  return shk_failure(
      SHK_NOT_FINITE,
      "h is above 2/ω = %g, the limit of linear stability: use a smaller h or a stiffness below %g",
      (double)(2 / real_sqrt(self->stiffness * eigenvalue)), (double)(4 / (h * h * eigenvalue)));
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct penalty *self = method;
  self->start_lambda = to->lambda;
  SHK_TRY(self->one_step ? shk_one_step_state(self->one_step, to, from, h, self->y, self->dy)
                         : verlet_penalty(self, to, from, h));
  if (self->constraint_work)
    *self->constraint_work += work_of(self, to, from, h);
  return self->one_step ? shk_ok() : stays_finite(self, to, from, h);
}

static int facts(void *method, struct shk_fact *facts, int limit, const struct shk_state *start)
{
  struct penalty *self = method;
  const real square = self->m > 0 ? self->stiffness * largest_eigenvalue(self, start) : 0;
  if (!(square > 0) || limit < 2)
    return 0;
  const real frequency = real_sqrt(square);
  facts[0] = (struct shk_fact){"stiff-frequency", (double)frequency};
  facts[1] = (struct shk_fact){"stability-limit", (double)(2 / frequency)};
  return self->base == 0 ? 2 : 1;
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct penalty *self = method;
  const unsigned features = self->evaluator->system->features;
  if (self->base > 0)
    return shk_bind_one_step(&self->one_step, binding, self->base - 1, self->base_options,
                             slope_penalty, self);
  if ((features & SHK_GENERAL_HAMILTONIAN) != 0)
    return shk_refused(
        "penalty over Verlet accepts only H = ½pᵀM⁻¹p + V(q); other bases accept any H");
  if ((features & SHK_FORCES) != 0)
    return shk_bind_newton(&self->newton, binding, self->n, HALF_KICK_LIMIT);
  if (self->damping == 0)
    return shk_ok();
  if (self->m > MAX_DAMPED)
    return shk_failure(SHK_REFUSED,
                       "penalty with damping over Verlet accepts at most %g constraints, but the "
                       "problem has %g: choose another base",
                       MAX_DAMPED, self->m);
  SHK_TRY(shk_reals(binding->workspace, &self->matrix, (size_t)self->m * (size_t)self->m));
  return shk_integers(binding->workspace, &self->pivots, (size_t)self->m);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct penalty *self = method;
  const struct shk_traits traits =
      self->base > 0 ? shk_one_step_traits(self->base - 1, self->base_options)
                     : (struct shk_traits){.order = 2, .symmetric = true, .symplectic = true};
  if (traits.rounded)
    claims->compensated = SHK_NO;
  claims->symmetric = traits.symmetric ? SHK_YES : SHK_NO;
  claims->symplectic_off_constraints = traits.symplectic && self->damping == 0 ? SHK_YES : SHK_NO;
  claims->keeps_momenta = traits.symplectic ? SHK_YES : SHK_NO;
  if (self->damping != 0) {
    /* damping makes the oscillation decay, but the spring remains */
    claims->order_lambda = SHK_NO_ORDER;
    claims->reversible = SHK_NO;
    claims->keeps_momenta = SHK_UNKNOWN;
  }
  /* The energy is bounded if the step size is below the stability limit, which depends on k. */
  claims->energy_bounded = traits.symplectic ? SHK_UNKNOWN : SHK_NO;
}

static const struct shk_choice bases[] = {
    {"verlet", "Störmer-Verlet; not available for a mass that depends on q or any other general H"},
#include "integrators/kit/one_step.def"
    {0}};

static const struct shk_option options[] = SHK_LIST(
    SHK_REAL(penalty, stiffness, "stiffness", "1e4",
             "k in ½ k ‖g‖², in units of energy over the square of g's unit", .positive = true),
    SHK_REAL(penalty, damping, "damping", "0",
             "c in the force -c Gᵀ G v, in units of stiffness times time", .minimum = "0"),
    SHK_CHOICE(penalty, base, "base", bases, "verlet", "the one-step method",
               .nested_at = SHK_AT(penalty, base_options)));

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAY(penalty, y, .n = 2, .m = 1), SHK_ARRAY(penalty, dy, .n = 2),
    SHK_ARRAY(penalty, G, .entries = 1),
    SHK_ARRAYS(penalty, (.n = 1), force, velocity, displacement, p_half, usual, pull, moved),
    SHK_ARRAYS(penalty, (.m = 1), rate, lambda, g, g_t, eigenvector),
    SHK_ARRAY(penalty, hessian, .nn = 4, .only = SHK_GENERAL),
    SHK_ARRAY(penalty, weights, .n = 1, .only = SHK_FORCES));

/* At fixed k, the method does not converge to the constrained motion, and the errors in p and in
 * the other multipliers would measure the phase of the stiff oscillation. M^H is not invariant.
 * Without damping, the method applies the base to a Hamiltonian system on the whole phase space. */
static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 0), SHK_CLAIM(ORDER_LAMBDA, 0), SHK_CLAIM(SYMPLECTIC, SHK_NO),
             SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMPLECTIC_OFF_CONSTRAINTS, SHK_YES),
             SHK_CONSTRAINTS(SHK_NO), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator penalty = {
    SHK_INTEGRATOR(penalty, arrays, bind, step, claims_under), .facts = facts,
    .constraint_work_at = SHK_AT(penalty, constraint_work),
    .info = {.name = "penalty",
             .family = "index reduction and projection",
             .summary = "the constraint replaced by a stiff spring, ½ k |g|², in an otherwise "
                        "unconstrained system",
             .equations = equations,
             .citation = "Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Hairer, Lubich & "
                         "Wanner, GNI, section XIV.3",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(penalty, .integrators = SHK_INTEGRATORS(&penalty));
