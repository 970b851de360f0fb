/*
 * Adds step-size control to any fixed-step one-step method Phi_h, called the base.
 *
 * control=doubling: compares one step of length h with two steps of length h/2. The controller
 * chooses h so that the difference between the results, relative to the sizes of q and p, stays
 * close to the tolerance. The last steps before an output are shortened so that they end at the
 * output time. The run continues from the result of the half steps or, with carry=one, from that of
 * the long step. Variable steps destroy symplecticity, so the energy drifts.
 *
 * control=reversible: the integrating controller of Hairer & Söderlind (2005), GNI §VIII.3.2. It
 * updates the step density z time-reversibly, so that z follows a prescribed function Z(y). If the
 * base is symmetric and Z(q,-p) = Z(q,p), a run backwards in time takes the same steps in reverse
 * order, and the energy error stays bounded on reversible problems. No step is rejected. Let L be
 * the initial size of q and T the problem's time scale. The step sizes are chosen such that the
 * local error h³ V_qq v/12 of Störmer-Verlet, in units of L, equals the tolerance. (For a general
 * H, the first term of Z⁶ is H_qq H_p divided by T times the size of p.) Derivatives along the
 * motion are approximated by central differences, which are odd under time reversal, like the
 * derivatives themselves. Output times do not affect the sequence of steps, because each output
 * state is computed by a side step of the base that does not change the running state.
 *
 * The multipliers are those of the last step or side step. The constraint force is -Gᵀ lambda. If
 * the base fails, the reversible controller stops, whereas step doubling tries a shorter step.
 */

static const char equations[] =
    "doubling: difference of Phi_h from Phi_{h/2} ∘ Phi_{h/2}, p the order of the base,\n"
    "h ← 0.9 h (tolerance/difference)^(1/(p+1))                                        (1)\n"
    "reversible: F = (d/dt) ln Z along the motion,\n"
    "z_{1/2} = Z(y_0) + ½ ε F(y_0)                                                     (2)\n"
    "y_{n+1} = Phi_{ε/z_{n+1/2}}(y_n),  z_{n+3/2} = z_{n+1/2} + ε F(y_{n+1})           (3)\n"
    "Z⁶ = |M⁻¹ V_qq v|²/L² + (|v|/L)⁶ + T⁻⁶,  ε = (12 tolerance)^(1/(p+1))             (4)\n"
    "L: size of q at the start, T: time scale of the problem\n";

#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

enum control { DOUBLING, REVERSIBLE };
/* The state from which step doubling continues: either the result of the two half steps or that of
 * the long step. */
enum carry { CARRY_TWO, CARRY_ONE };

/* Largest factor by which one error estimate can change the step size, and the safety factor in
 * tenths. */
#define LARGEST_FACTOR 5
#define SAFETY_TENTHS 9

/* An internal step is too short if it is smaller than this many times the rounding error of the
 * time or, if larger, of the interval. */
#define UNDERFLOW_UNITS 16
static const char step_too_short[] =
    "the step size fell to %g, below the rounding of t = %g: the tolerance is too small";

/* A tolerance below this many times the round-off unit cannot be met. */
#define TOLERANCE_UNITS 10

/* Increment for the differences along the motion, in units of T or L/|v|, whichever is shorter. The
 * error of a difference is the square of the increment. The controller tolerates this error, and
 * round-off is far smaller. */
#define DIFFERENCE R(0.001)

/* The state of the reversible controller between two outputs. */
struct running {
  struct shk_state state;
  real density;         /* density z of the step that begins at `state` */
  real behind, carried; /* time from `state` to the output, with its carry */
  bool forward;
};

struct adaptive {
  struct shk_evaluator *evaluator;
  int n, m;
  int control, carry; /* enum control, enum carry */
  struct shk_base base;
  real tolerance, time_scale, exponent; /* 1/(p+1) */
  /* sizes of q and p: the largest so far (doubling) or the initial ones (reversible) */
  real size_q, size_p;
  /* For control=doubling: the length of the next step, or 0 if it is not yet known. */
  real guess;
  struct shk_state full, half, at, next;

  /* For control=reversible: */
  real epsilon;
  struct shk_manifold *manifold;
  struct running now, before;     /* states after and before the last call */
  struct shk_state output, input; /* output and input of the last call */
  bool has_output, has_input;
  real *v, *force, *q, *p, *moved_v, *moved_q, *ahead, *astern; /* n */
  real *lambda, *G;
};

/* Updates the sizes of q and p that serve as units for errors. They are the largest sizes reached
 * so far. As long as p = 0, its size is taken to be the largest mass times the size of q divided by
 * the time scale. */
static void grow_sizes(struct adaptive *self, const struct shk_state *state)
{
  const real *mass = self->evaluator->system->mass;
  self->size_q = real_max(self->size_q, real_max_norm(state->q, self->n));
  if (self->size_q == 0)
    self->size_q = 1;
  self->size_p = real_max(self->size_p, real_max_norm(state->p, self->n));
  if (self->size_p == 0)
    self->size_p = (mass ? real_max_norm(mass, self->n) : 1) * self->size_q / self->time_scale;
}

static bool too_short(real h, real t, real span)
{
  return h < UNDERFLOW_UNITS * REAL_EPSILON * real_max(real_fabs(t), span);
}

/* ---- step doubling ---- */

/* Takes two steps of length h/2 from `at` to `next`. Sets *error to the scaled difference between
 * the result and that of a single step of length h, divided by the tolerance. */
static struct shk_status double_step(struct adaptive *self, real h, real *error)
{
  SHK_TRY(shk_base_step(&self->base, &self->full, &self->at, h));
  SHK_TRY(shk_base_step(&self->base, &self->half, &self->at, h / 2));
  SHK_TRY(shk_base_step(&self->base, &self->next, &self->half, h / 2));
  const real q = shk_largest_difference(self->full.q, self->next.q, self->n) / self->size_q;
  const real p = shk_largest_difference(self->full.p, self->next.p, self->n) / self->size_p;
  *error = real_max(q, p) / self->tolerance;
  return real_isfinite(q + p)
             ? shk_ok()
             : shk_failure(SHK_NOT_FINITE, "the step returned a state that is not finite", 0, 0);
}

/* Returns the factor by which the step size changes after a step with this error, according to
 * (1). */
static real step_factor(const struct adaptive *self, real error)
{
  const real largest = LARGEST_FACTOR;
  if (!(error > 0))
    return largest;
  return real_min(largest,
                  real_max(1 / largest, SAFETY_TENTHS * real_pow(error, -self->exponent) / 10));
}

static struct shk_status step_by_doubling(struct adaptive *self, struct shk_state *to,
                                          const struct shk_state *from, real h)
{
  struct shk_counters *counters = &self->evaluator->counters;
  const real direction = h < 0 ? -1 : 1, span = real_fabs(h);
  real left = span, carried = 0;
  real guess = self->guess > 0 ? self->guess : real_min(span, self->time_scale / 10);
  shk_state_copy(&self->at, from);
  while (left > 0) {
    grow_sizes(self, &self->at);
    /* Splits the remainder into one step or two equal steps, so that no step is tiny. */
    const bool last = guess >= left, shortened = 2 * guess > left;
    const real length = last ? left : shortened ? left / 2 : guess;
    real error = 0;
    const struct shk_status status = double_step(self, direction * length, &error);
    const bool ok = status.code == SHK_OK;
    if (!ok && !shk_may_recover(status.code))
      return status;
    const real factor = ok ? step_factor(self, error) : (real)1 / LARGEST_FACTOR;
    if (ok && error <= 1) {
      counters->steps++;
      shk_state_swap(&self->at, self->carry == CARRY_ONE ? &self->full : &self->next);
      if (last)
        left = 0;
      else
        real_accumulate(&left, &carried, -length);
      if (!shortened || length * factor < guess)
        guess = length * factor;
    } else {
      counters->rejected++;
      guess = length * real_min(factor, (real)SAFETY_TENTHS / 10);
      if (too_short(guess, self->at.t, span))
        return ok ? shk_failure(SHK_NOT_CONVERGED, step_too_short, (double)guess,
                                (double)self->at.t)
                  : status;
    }
  }
  self->guess = guess;
  shk_state_copy(to, &self->at);
  return shk_ok();
}

/* ---- the reversible controller ---- */

static real euclidean_norm(const real *x, int n)
{
  return real_sqrt(real_dot(x, x, n));
}

/* out (n) <- x + s v */
static void move_adaptive(real *out, const real *x, real s, const real *v, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = x[i] + s * v[i];
}

/* Returns the increment for a difference along a motion. `rate` is the rate of change of q divided
 * by the size of q. */
static real increment_of_difference(const struct adaptive *self, real rate)
{
  return DIFFERENCE / real_sqrt(rate * rate + 1 / (self->time_scale * self->time_scale));
}

/* Computes ln Z at (q,p) according to (4). */
static struct shk_status log_density(struct adaptive *self, real *value, real t, const real *q,
                                     const real *p)
{
  struct shk_evaluator *e = self->evaluator;
  const real *mass = e->system->mass;
  const real T = self->time_scale;
  const bool general = shk_is_general(e->system);
  SHK_TRY(shk_velocity(e, self->moved_v, t, q, p));
  const real rate = euclidean_norm(self->moved_v, self->n) / self->size_q;
  const real s = increment_of_difference(self, rate);
  move_adaptive(self->moved_q, q, s, self->moved_v, self->n);
  SHK_TRY(shk_gradient(e, self->ahead, t, self->moved_q, p));
  move_adaptive(self->moved_q, q, -s, self->moved_v, self->n);
  SHK_TRY(shk_gradient(e, self->astern, t, self->moved_q, p));
  for (int i = 0; i < self->n; i++) {
    self->ahead[i] = (self->ahead[i] - self->astern[i]) / (2 * s);
    self->ahead[i] /= general ? self->size_p * T : mass[i] * self->size_q;
  }
  const real jerk = euclidean_norm(self->ahead, self->n), rate2 = rate * rate, T2 = T * T;
  const real sum = jerk * jerk + rate2 * rate2 * rate2 + 1 / (T2 * T2 * T2);
  *value = real_log(sum) / 6;
  return shk_ok();
}

/* Computes F = (d/dt) ln Z by a finite difference along the vector field. */
static struct shk_status density_rate(struct adaptive *self, real *rate, const struct shk_state *y)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n;
  SHK_TRY(shk_exact_multiplier(self->manifold, self->lambda, y->t, y->q, y->p));
  SHK_TRY(shk_velocity(e, self->v, y->t, y->q, y->p));
  SHK_TRY(shk_forces_and_constraints(e, self->force, self->G, NULL, y->t, y->q, y->p, NULL));
  shk_jacobian_transposed_add(e, self->force, self->G, 1, self->lambda);
  const real s = increment_of_difference(self, euclidean_norm(self->v, n) / self->size_q);
  real values[2];
  for (int side = 0; side < 2; side++) {
    const real step = side == 0 ? -s : s;
    move_adaptive(self->q, y->q, step, self->v, n);
    move_adaptive(self->p, y->p, -step, self->force, n);
    SHK_TRY(log_density(self, &values[side], y->t + step, self->q, self->p));
  }
  *rate = (values[1] - values[0]) / (2 * s);
  return shk_ok();
}

static struct shk_status start_running(struct adaptive *self, const struct shk_state *from,
                                       bool forward)
{
  real logarithm, rate;
  if (self->size_q == 0)
    grow_sizes(self, from);
  SHK_TRY(log_density(self, &logarithm, from->t, from->q, from->p));
  SHK_TRY(density_rate(self, &rate, from));
  shk_state_copy(&self->now.state, from);
  self->now.density = real_exp(logarithm) + (forward ? 1 : -1) * self->epsilon * rate / 2;
  self->now.behind = self->now.carried = 0;
  self->now.forward = forward;
  return shk_ok();
}

/* Returns true if the two states are the same, except possibly for their times. */
static bool is_same_state(const struct shk_state *a, const struct shk_state *b)
{
  const size_t n = (size_t)a->n * sizeof(real);
  return memcmp(a->q, b->q, n) == 0 && memcmp(a->p, b->p, n) == 0 &&
         memcmp(a->q_carry, b->q_carry, n) == 0 && memcmp(a->p_carry, b->p_carry, n) == 0;
}

static void copy_running(struct running *to, const struct running *from)
{
  const struct shk_state state = to->state;
  *to = *from;
  to->state = state;
  shk_state_copy(&to->state, &from->state);
}

/* Prepares the controller to start from `from`. If this is the last output, the controller
 * continues. If it is the input of the last call, that call is repeated. Otherwise, the controller
 * starts anew. */
static struct shk_status resume_adaptive(struct adaptive *self, const struct shk_state *from,
                                         bool forward)
{
  if (self->has_output && self->now.forward == forward && is_same_state(from, &self->output))
    copy_running(&self->before, &self->now);
  else if (self->has_input && self->before.forward == forward && is_same_state(from, &self->input))
    copy_running(&self->now, &self->before);
  else {
    self->has_output = self->has_input = false;
    SHK_TRY(start_running(self, from, forward));
    copy_running(&self->before, &self->now);
  }
  shk_state_copy(&self->input, from);
  self->has_input = true;
  self->has_output = false;
  return shk_ok();
}

static struct shk_status step_reversibly(struct adaptive *self, struct shk_state *to,
                                         const struct shk_state *from, real h)
{
  SHK_TRY(resume_adaptive(self, from, h > 0));
  struct running *r = &self->now;
  const real direction = h < 0 ? -1 : 1;
  real_accumulate(&r->behind, &r->carried, real_fabs(h));
  for (;;) {
    const real length = self->epsilon / r->density;
    if (!(r->density > 0) || !real_isfinite(length))
      return shk_failure(SHK_NOT_CONVERGED,
                         "the step density of control=reversible fell to %g: lower the tolerance",
                         (double)r->density, 0);
    if (too_short(length, r->state.t, r->behind))
      return shk_failure(SHK_NOT_CONVERGED, step_too_short, (double)length, (double)r->state.t);
    if (2 * r->behind < 3 * length)
      break; /* the side step is 0.5 to 1.5 steps long, so it is never tiny */
    SHK_TRY(shk_base_step(&self->base, &self->next, &r->state, direction * length));
    shk_state_swap(&r->state, &self->next);
    real rate;
    SHK_TRY(density_rate(self, &rate, &r->state));
    r->density += direction * self->epsilon * rate;
    real_accumulate(&r->behind, &r->carried, -length);
    self->evaluator->counters.steps++;
  }
  if (r->behind > 0)
    SHK_TRY(shk_base_step(&self->base, to, &r->state, direction * r->behind));
  else
    shk_state_copy(to, &r->state);
  shk_state_copy(&self->output, to);
  self->has_output = true;
  return shk_ok();
}

/* ---- both ---- */

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct adaptive *self = method;
  if (h == 0) {
    shk_state_copy(to, from);
    return shk_ok();
  }
  return self->control == DOUBLING ? step_by_doubling(self, to, from, h)
                                   : step_reversibly(self, to, from, h);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct adaptive *self = method;
  self->time_scale = shk_time_scale(binding);
  self->tolerance = binding->tolerance;
  SHK_TRY(shk_check_tolerance(self->tolerance, TOLERANCE_UNITS));
  SHK_TRY(shk_bind_base(&self->base, binding));
  const int order = self->base.claims.order_q < self->base.claims.order_p
                        ? self->base.claims.order_q
                        : self->base.claims.order_p;
  if (order < 1)
    return shk_refused("the base claims no order, but step control needs one");
  if (self->control == REVERSIBLE && self->carry == CARRY_ONE)
    return shk_refused("carry=one requires control=doubling");
  if (self->control == REVERSIBLE && self->base.claims.symmetric == SHK_NO)
    return shk_refused("the base is not symmetric, but control=reversible needs a symmetric one");
  self->exponent = (real)1 / (order + 1);
  self->epsilon = real_pow(12 * self->tolerance, self->exponent);
  struct shk_state *const states[] = {&self->full,   &self->half,      &self->at,
                                      &self->next,   &self->now.state, &self->before.state,
                                      &self->output, &self->input};
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
    SHK_TRY(shk_bind_state(states[i], binding));
  return shk_bind_manifold(&self->manifold, binding);
}

/* The base's claims about single steps remain valid. control=reversible also claims a bounded
 * energy. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct adaptive *self = method;
  const struct shk_claims *base = &self->base.claims;
  claims->keeps_constraint = base->keeps_constraint;
  claims->constraint_level = base->constraint_level;
  claims->keeps_hidden = base->keeps_hidden;
  claims->keeps_momenta = base->keeps_momenta;
  if (self->control == REVERSIBLE)
    claims->energy_bounded = base->energy_bounded;
}

/* The entries follow the order of the enumeration. */
static const struct shk_choice controls[] =
    SHK_LIST({"doubling", "a step compared with two steps of half its length"},
             {"reversible", "step density after Hairer & Söderlind, unchanged by time reversal"});

static const struct shk_choice carries[] =
    SHK_LIST({"two", "the state after the two half steps"},
             {"one", "the state after the long step, as in odeRATTLE"});

static const struct shk_option options[] = SHK_LIST(
    SHK_BASE(adaptive, base, "base", "rattle",
             "the method that takes the steps; its options in parentheses"),
    SHK_CHOICE(adaptive, control, "control", controls, "doubling", "choice of the step size"),
    SHK_CHOICE(
        adaptive, carry, "carry", carries, "two",
        "the state from which doubling continues; the other state is used to estimate its error"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(adaptive, (.n = 1), v, force, q, p, moved_v, moved_q, ahead, astern),
             SHK_ARRAY(adaptive, lambda, .m = 1), SHK_ARRAY(adaptive, G, .entries = 1));

static const struct shk_stated claims[] = SHK_LIST(SHK_CLAIM(ENERGY_BOUNDED, SHK_NO));

static const struct shk_integrator adaptive = {
    SHK_INTEGRATOR(adaptive, arrays, bind, step, claims_under),
    .info = {.name = "adaptive",
             .family = "around another method",
             .summary = "variable steps around a one-step method: step doubling, or a reversible "
                        "controller",
             .equations = equations,
             .citation = "Hairer & Söderlind, SIAM J. Sci. Comput. 26 (2005) 1838; Hairer, Lubich "
                         "& Wanner, GNI, §VIII.3.2; Hairer, Nørsett & Wanner, Solving Ordinary "
                         "Differential Equations I, §II.4",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .adaptive = true,
             .claims = claims}};

SHK_PROVIDE(adaptive, .integrators = SHK_INTEGRATORS(&adaptive));
