/*
 * Penalty: the constraint as a stiff spring, V + ½ k ‖g‖², with optional damping of g' = G v.
 *
 * Over Störmer-Verlet (H = ½ pᵀM⁻¹p + V(q)) damping and Q are implicit in the first half and
 * explicit in the second, so that the method stays symmetric, and everything is taken at the time
 * of its position. The factors of -Gᵀ are reported as lambda (at q0) and mu (at q1).
 *
 * At fixed k this does not converge to the constrained motion as h goes to 0, but to one that is
 * O(1/k) away in q and O(1/√k) in p, and whose lambda oscillates about the multiplier with an
 * amplitude of its size. The stiffest frequency ω is reported at the start, and over Verlet the
 * limit of linear stability, with or without damping. Nothing stops a step beyond it: at finite
 * amplitude the violation may saturate rather than blow up. If a state is not finite, the message
 * states the limit at the last position before the state grew. Resonances can make smaller steps
 * unstable, too.
 *
 * Sums of q and p are compensated. Not for constraints that depend on p.
 *
 * Source: Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Hairer, Lubich & Wanner, GNI, §XIV.3.
 */

static const char equations[] =
    "q' = H_p,  p' = -H_q + Q - Gᵀ (k g + c (G H_p + g_t))                          (1)\n"
    "over Störmer-Verlet, g_t and Q left out, v½ = M⁻¹ p½:\n"
    "p½ = p0 - h/2 (V_q(q0) + G(q0)ᵀ (k g(q0) + c G(q0) v½))                        (2)\n"
    "q1 = q0 + h v½                                                                 (3)\n"
    "p1 = p½ - h/2 (V_q(q1) + G(q1)ᵀ (k g(q1) + c G(q1) v½))                        (4)\n"
    "Records have the stiffest frequency ω at the start, ω² = k λ_max(G M⁻¹ Gᵀ), as\n"
    "method-stiff-frequency, and over Verlet 2/ω as method-stability-limit.\n";

#include "integrators/kit/ode.h"
#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

/* Limit of Newton's iterations; they end earlier if they do not contract. */
#define HALF_KICK_LIMIT 1000
/* Damping over Verlet solves with a dense matrix of the size of the constraints. */
#define MAX_DAMPED 2000
/* Power iteration for λ_max: its limit, and the tolerance of its Rayleigh quotients. */
#define POWER_LIMIT 20000
#define POWER_TOLERANCE R(1e-12)

struct penalty {
  struct shk_evaluator *evaluator;
  int n, m;
  real stiffness, damping;
  int base; /* 0: Störmer-Verlet, else 1 + index in shk_one_step_choices */
  const struct shk_values *base_options;
  struct shk_one_step *one_step;
  real *y, *dy, *G, *force, *velocity, *p_half, *rate, *lambda;
  real *start_lambda; /* destination of the next lambda; NULL: none */
  /* Damping over Störmer-Verlet: (1 + c h/2 G M⁻¹ Gᵀ). */
  real *matrix;
  int *pivots;
  /* Generalized forces over Störmer-Verlet: the implicit first half kick. */
  struct shk_newton *newton;
  real *hessian, *weights;
  const struct shk_state *from;
  real half;
  real *work;         /* work of the constraints; NULL: not measured */
  real *usual, reach; /* the last q of at most twice the size of the first; that size */
};

/* Stores lambda = k g + c (G v + g_t), force = -H_q + Q - Gᵀ lambda, and G; v NULL: without
 * damping. */
static struct shk_status stiff_force(struct penalty *w, real *lambda, real *force, real t,
                                     const real *q, const real *p, const real *v)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_gradient(e, force, t, q, p));
  SHK_TRY(shk_constraint(e, lambda, t, q));
  SHK_TRY(shk_jacobian(e, w->G, t, q));
  for (int i = 0; i < w->m; i++)
    lambda[i] *= w->stiffness;
  if (v && w->damping != 0) {
    SHK_TRY(shk_hidden_residual(e, w->rate, w->G, t, q, v));
    shk_vector_add(lambda, w->damping, w->rate, w->m);
  }
  shk_negate(force, w->n);
  shk_jacobian_transposed_add(e, force, w->G, -1, lambda);
  return shk_ok();
}

/* (1) */
static struct shk_status slope(void *user, real *f, real t, const real *y)
{
  struct penalty *w = user;
  const int n = w->n;
  SHK_TRY(shk_velocity(w->evaluator, f, t, y, y + n));
  SHK_TRY(stiff_force(w, w->lambda, f + n, t, y, y + n, f));
  shk_note_first(&w->start_lambda, w->lambda, w->m);
  return shk_ok();
}

/* Adds the implicit damping of the first half kick to lambda and to dp, which contains the rest
 * of the kick. With s = G v½ + g_t: (1 + c h/2 G M⁻¹ Gᵀ) s = G M⁻¹ (p + dp) + g_t. */
static struct shk_status damp(struct penalty *w, real *lambda, real *dp,
                              const struct shk_state *from, real half)
{
  struct shk_evaluator *e = w->evaluator;
  const int m = w->m;
  const real a = half * w->damping;
  for (int i = 0; i < w->n; i++)
    w->velocity[i] = shk_over_mass(e, from->p[i] + dp[i], i);
  SHK_TRY(shk_hidden_residual(e, w->rate, w->G, from->t, from->q, w->velocity));
  for (int j = 0; j < m; j++) {
    shk_weighted_row(e, w->y, w->G, j, w->G, w->velocity);
    for (int i = 0; i < m; i++)
      w->matrix[(size_t)i * (size_t)m + (size_t)j] = a * w->y[i] + (i == j ? 1 : 0);
  }
  e->work.factorizations++;
  if (!shk_lu_factor(w->matrix, w->pivots, m))
    return shk_failure(SHK_SINGULAR, "the matrix of the implicit damping is singular", 0, 0);
  shk_lu_solve(w->rate, w->matrix, w->pivots, m);
  for (int i = 0; i < m; i++) {
    w->rate[i] *= w->damping;
    lambda[i] += w->rate[i];
  }
  shk_jacobian_transposed_add(e, dp, w->G, -half, w->rate);
  return shk_ok();
}

/* (2), the first half kick, without generalized forces: lambda and dp. */
static struct shk_status free_half(struct penalty *w, real *lambda, real *dp,
                                   const struct shk_state *from, real half)
{
  SHK_TRY(stiff_force(w, lambda, w->force, from->t, from->q, from->p, NULL));
  shk_vector_scaled(dp, half, w->force, w->n);
  return w->damping != 0 ? damp(w, lambda, dp, from, half) : shk_ok();
}

/* Computes F = (2) with Q, and its Jacobian 1 - h/2 (Q_p - c G0ᵀ G0 M⁻¹). */
static struct shk_status half_stage(void *user, real *F, real *J, const real *x)
{
  struct penalty *w = user;
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  const int n = w->n;
  for (int i = 0; i < n; i++)
    w->velocity[i] = shk_over_mass(e, x[i], i);
  SHK_TRY(stiff_force(w, w->lambda, w->force, from->t, from->q, x, w->velocity));
  SHK_TRY(shk_hessian(e, w->hessian, from->t, from->q, x));
  const struct shk_stage_matrix matrix = shk_stage_matrix(J, n);
  shk_add_identity(matrix, 0, 0, n);
  shk_add_block(matrix, 0, 0, w->half, w->hessian + n, 2 * n, n);
  for (int i = 0; i < n; i++)
    F[i] = (x[i] - from->p[i]) - from->p_carry[i] - w->half * w->force[i];
  for (int k = 0; k < w->m; k++)
    for (int a = e->row_start[k]; a < e->row_start[k + 1]; a++)
      for (int b = e->row_start[k]; b < e->row_start[k + 1]; b++)
        *shk_stage_row(matrix, e->columns[a], e->columns[b]) +=
            shk_over_mass(e, w->half * w->damping * w->G[a] * w->G[b], e->columns[b]);
  return shk_ok();
}

/* (2) with generalized forces, which depend on p½. */
static struct shk_status forced_half(struct penalty *w, real *lambda, real *dp,
                                     const struct shk_state *from, real half)
{
  const real size = shk_size_of(from->p, w->n);
  w->from = from;
  w->half = half;
  shk_copy(w->p_half, from->p, w->n);
  shk_fill(w->weights, size, w->n);
  SHK_TRY(shk_newton_solve(w->newton, w->evaluator, w->p_half, w->n, w->weights, half_stage, w));
  for (int i = 0; i < w->n; i++)
    w->velocity[i] = w->p_half[i] / w->evaluator->system->mass[i];
  SHK_TRY(stiff_force(w, lambda, w->force, from->t, from->q, w->p_half, w->velocity));
  shk_vector_scaled(dp, half, w->force, w->n);
  return shk_ok();
}

static struct shk_status verlet(struct penalty *w, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n;
  const real half = h / 2;
  real *dp = w->dy;
  SHK_TRY(w->newton ? forced_half(w, to->lambda, dp, from, half)
                    : free_half(w, to->lambda, dp, from, half));
  for (int i = 0; i < n; i++) {
    w->p_half[i] = from->p[i] + (dp[i] + from->p_carry[i]);
    w->velocity[i] = shk_over_mass(e, w->p_half[i], i);
    w->force[i] = h * w->velocity[i];
  }
  shk_move_q(to, from, w->force); /* (3), then (4) */
  SHK_TRY(stiff_force(w, to->mu, w->force, from->t + h, to->q, w->p_half, w->velocity));
  shk_vector_add(dp, half, w->force, n);
  shk_move_p(to, from, dp);
  return shk_ok();
}

/* Stores the energy ½ k ‖g‖² of the spring at a state, and the power of the other terms, k g·g_t -
 * c (G v + g_t)·G v. */
static struct shk_status spring_at(struct penalty *w, real *energy, real *power, real t,
                                   const real *q, const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  real *g = w->lambda, *normal = w->rate;
  *energy = *power = 0;
  SHK_TRY(shk_constraint(e, g, t, q));
  SHK_TRY(shk_jacobian(e, w->G, t, q));
  SHK_TRY(shk_velocity(e, w->velocity, t, q, p));
  shk_jacobian_times(e, normal, w->G, w->velocity);
  for (int i = 0; i < w->m; i++) {
    *energy += w->stiffness / 2 * g[i] * g[i];
    *power -= w->damping * normal[i] * normal[i];
  }
  if (!(e->system->features & SHK_RHEONOMIC))
    return shk_ok();
  SHK_TRY(shk_constraint_rate(e, w->y, t, q));
  for (int i = 0; i < w->m; i++)
    *power += w->y[i] * (w->stiffness * g[i] - w->damping * normal[i]);
  return shk_ok();
}

/* Returns the work of the penalty force in a step: the decrease of the spring's energy, and the
 * integral of the power by the trapezoidal rule. NaN if it cannot be evaluated. */
static real work_of(struct penalty *w, const struct shk_state *to, const struct shk_state *from,
                    real h)
{
  const struct shk_work before = w->evaluator->work;
  real energy[2], power[2];
  const bool ok = spring_at(w, &energy[0], &power[0], from->t, from->q, from->p).code == SHK_OK &&
                  spring_at(w, &energy[1], &power[1], from->t + h, to->q, to->p).code == SHK_OK;
  w->evaluator->work = before;
  return ok ? energy[0] - energy[1] + h / 2 * (power[0] + power[1]) : NAN;
}

/* Returns λ_max of G M⁻¹ Gᵀ (general systems: G H_pp Gᵀ) at a state, by the power method; NaN if
 * it cannot be evaluated or does not converge. */
static real largest_eigenvalue(struct penalty *w, const struct shk_state *at)
{
  struct shk_evaluator *e = w->evaluator;
  real value = 0;
  if ((w->hessian && shk_hessian(e, w->hessian, at->t, at->q, at->p).code != SHK_OK) ||
      shk_jacobian(e, w->G, at->t, at->q).code != SHK_OK)
    return NAN;
  /* The start lacks the symmetries of chains and lattices, so that it is not orthogonal to the
   * eigenvector. */
  for (int i = 0; i < w->m; i++)
    w->rate[i] = 1 + real_sin((real)i + 1) / 3;
  for (int iteration = 0; iteration <= POWER_LIMIT; iteration++) {
    shk_fill(w->velocity, 0, w->n);
    shk_jacobian_transposed_add(e, w->velocity, w->G,
                                1 / real_sqrt(real_dot(w->rate, w->rate, w->m)), w->rate);
    shk_acceleration(e, w->force, w->hessian, NULL, 1, w->velocity); /* M⁻¹ */
    shk_jacobian_times(e, w->rate, w->G, w->force);
    const real before = value;
    value = real_dot(w->force, w->velocity, w->n);
    if (real_fabs(value - before) <= POWER_TOLERANCE * value)
      return value;
    if (!(value > 0))
      return NAN;
  }
  return NAN;
}

/* Fails if the step gave a state that is not finite and h exceeds the limit of linear stability
 * at the place before the state grew. */
static struct shk_status stays_finite(struct penalty *w, const struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  const real reach = real_max_norm(from->q, w->n);
  if (w->reach == 0)
    w->reach = reach;
  if (reach <= 2 * w->reach)
    shk_copy(w->usual, from->q, w->n);
  if (real_isfinite(real_max_norm(to->p, w->n)) && real_isfinite(real_max_norm(to->lambda, w->m)) &&
      real_isfinite(real_max_norm(to->mu, w->m)))
    return shk_ok();
  const struct shk_work before = w->evaluator->work;
  const struct shk_state usual = {.t = from->t, .q = w->usual, .p = from->p};
  const real eigenvalue = largest_eigenvalue(w, &usual);
  w->evaluator->work = before;
  if (!(h * h * w->stiffness * eigenvalue > 4))
    return shk_ok();
  return shk_failure(
      SHK_NOT_FINITE,
      "h is above 2/ω = %g, the limit of linear stability: take a smaller h or stiffness below %g",
      (double)(2 / real_sqrt(w->stiffness * eigenvalue)), (double)(4 / (h * h * eigenvalue)));
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct penalty *w = method;
  w->start_lambda = to->lambda;
  SHK_TRY(w->one_step ? shk_one_step_state(w->one_step, to, from, h, w->y, w->dy)
                      : verlet(w, to, from, h));
  if (w->work)
    *w->work += work_of(w, to, from, h);
  return w->one_step ? shk_ok() : stays_finite(w, to, from, h);
}

static int facts(void *method, struct shk_fact *facts, int limit, const struct shk_state *start)
{
  struct penalty *w = method;
  const real square = w->m > 0 ? w->stiffness * largest_eigenvalue(w, start) : 0;
  if (!(square > 0) || limit < 2)
    return 0;
  const real frequency = real_sqrt(square);
  facts[0] = (struct shk_fact){"stiff-frequency", (double)frequency};
  facts[1] = (struct shk_fact){"stability-limit", (double)(2 / frequency)};
  return w->base == 0 ? 2 : 1;
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct penalty *w = method;
  const unsigned features = w->evaluator->system->features;
  if (w->base > 0)
    return shk_bind_one_step(&w->one_step, binding, w->base - 1, w->base_options, slope, w);
  if ((features & SHK_GENERAL_HAMILTONIAN) != 0)
    return shk_refused("penalty over Verlet takes H = ½pᵀM⁻¹p + V(q) only; other bases take any");
  if ((features & SHK_FORCES) != 0)
    return shk_bind_newton(&w->newton, binding, w->n, HALF_KICK_LIMIT);
  if (w->damping == 0)
    return shk_ok();
  if (w->m > MAX_DAMPED)
    return shk_failure(
        SHK_REFUSED,
        "penalty with damping over Verlet takes at most %g constraints, the problem has "
        "%g: set another base",
        MAX_DAMPED, w->m);
  SHK_TRY(shk_reals(binding->workspace, &w->matrix, (size_t)w->m * (size_t)w->m));
  return shk_integers(binding->workspace, &w->pivots, (size_t)w->m);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct penalty *w = method;
  const struct shk_traits traits =
      w->base > 0 ? shk_one_step_traits(w->base - 1, w->base_options)
                  : (struct shk_traits){.order = 2, .symmetric = true, .symplectic = true};
  if (traits.rounded)
    claims->compensated = SHK_NO;
  claims->symmetric = traits.symmetric ? SHK_YES : SHK_NO;
  claims->symplectic_off_constraints = traits.symplectic && w->damping == 0 ? SHK_YES : SHK_NO;
  claims->keeps_momenta = traits.symplectic ? SHK_YES : SHK_NO;
  if (w->damping != 0) {
    claims->order_lambda = SHK_NO_ORDER; /* damping: the oscillation decays, the spring remains */
    claims->reversible = SHK_NO;
    claims->keeps_momenta = SHK_UNKNOWN;
  }
  /* The energy is bounded below the limit of stability, which depends on k. */
  claims->energy_bounded = traits.symplectic ? SHK_UNKNOWN : SHK_NO;
}

static const struct shk_choice bases[] = {
    {"verlet", "Störmer-Verlet; not for a mass that depends on q or another general H"},
#include "integrators/kit/one_step.def"
    {0}};

static const struct shk_option options[] =
    SHK_LIST(SHK_REAL(penalty, stiffness, "stiffness", "1e4",
                      "k in ½ k ‖g‖², energy over the square of g's unit", .positive = true),
             SHK_REAL(penalty, damping, "damping", "0",
                      "c in the force -c Gᵀ G v, stiffness times time", .minimum = "0"),
             SHK_CHOICE(penalty, base, "base", bases, "verlet", "the one-step method",
                        .nested_at = SHK_AT(penalty, base_options)));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(penalty, y, .n = 2, .m = 1), SHK_ARRAY(penalty, dy, .n = 2),
             SHK_ARRAY(penalty, G, .entries = 1),
             SHK_ARRAYS(penalty, (.n = 1), force, velocity, p_half, usual),
             SHK_ARRAYS(penalty, (.m = 1), rate, lambda),
             SHK_ARRAY(penalty, hessian, .nn = 4, .only = SHK_GENERAL),
             SHK_ARRAY(penalty, weights, .n = 1, .only = SHK_FORCES));

/* At fixed k the method does not converge to the constrained motion; errors of p and of the other
 * multipliers would measure the phase of the stiff oscillation. M^H is not invariant. On all of
 * phase space the method without damping is the base's step of a Hamiltonian system. */
static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 0), SHK_CLAIM(ORDER_LAMBDA, 0), SHK_CLAIM(SYMPLECTIC, SHK_NO),
             SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMPLECTIC_OFF_CONSTRAINTS, SHK_YES),
             SHK_CONSTRAINTS(SHK_NO), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator penalty = {
    SHK_INTEGRATOR(penalty, arrays, bind, step, claims_under), .facts = facts,
    .work_at = SHK_AT(penalty, work),
    .info = {.name = "penalty",
             .summary = "the constraint as a stiff spring, ½ k |g|², unconstrained otherwise",
             .equations = equations,
             .citation = "Rubin & Ungar, Comm. Pure Appl. Math. 10 (1957) 65; Hairer, Lubich & "
                         "Wanner, GNI, section XIV.3",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(penalty, .integrators = SHK_INTEGRATORS(&penalty));
