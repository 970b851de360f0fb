/*
 * SHAKE and RATTLE over Störmer-Verlet, for H(q,p) and constraints g(q,t) = 0. The equations below
 * describe one step from (q0,p0). For separable H, everything except lambda and mu is explicit. If
 * there are forces Q(q,p,t), H_q denotes H_q - Q. lambda and mu have units of force, and the
 * constraint force is -Gᵀ lambda. q and p are accumulated with compensated summation. Equations (4)
 * and (5) are solved in geometric/geometric.c.
 *
 * Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; Andersen, J. Comput. Phys. 52
 * (1983) 24; Jay, SIAM J. Numer. Anal. 33 (1996) 368; Hairer, Lubich & Wanner, GNI, eq. (VII.1.26).
 */

#define POSITIONS                                                                                  \
  "p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)                                   (1)\n"         \
  "q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),    g(q1) = 0                        (2)\n"
#define OTHER_FORMS                                                                                \
  "separable H: (2) is q1 = q0 + h M⁻¹ p½\n"                                                   \
  "over any flow phi_h, for g(q,p) too, with X_g: q' = g_p, p' = -g_q and k = h/2\n"               \
  "(symplectic Euler: h):\n"                                                                       \
  "S_h = phi_h ∘ Gamma,  Gamma(z) = exp(k Σ lambda_i X_{g_i}) z,  g(S_h(z0)) = 0       (4)\n"

static const char rattle_equations[] = POSITIONS
    "p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu),     G(q1) H_p(q1,p1) + g_t = 0       (3)\n" OTHER_FORMS
    "R_h = Pi ∘ S_h,       Pi(z) = exp(k Σ mu_i X_{g_i}) z,         {g,H}(R_h(z0)) = 0   (5)\n";

static const char shake_equations[] = POSITIONS
    "p1 = p½ - h/2 H_q(q1,p½)                                                     (3), mu = 0\n"
    "lambda tends to twice the problem's multiplier: half of it makes up for the kick that\n"
    "the last step left out.\n"
    "momentum=central: p1 - h/4 G(q1)ᵀ lambda of the next step, M (q2 - q0)/2h for separable\n"
    "H; lambda and mu then tend to the problem's multiplier.\n" OTHER_FORMS;

#include "integrators/geometric/geometric.h"
#include "integrators/kit/first_guess.h"
#include "integrators/kit/implicit_verlet.h"
#include "integrators/kit/impulse.h"

#include <shakedown/plugin.h>

/* The momentum that SHAKE reports at the end of a step. */
enum { CARRIED, CENTRAL };

struct verlet {
  struct shk_evaluator *evaluator;
  int n, m;
  bool rattle; /* false: SHAKE */
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  const real *G0, *G1; /* values of G at q0 and q1, which the evaluator caches */
  real *dp, *dp_free;
  /* accumulates the constraint work; NULL if it is not measured */
  real *constraint_work;
  struct shk_implicit_verlet *implicit; /* for a general H; NULL if H is separable */
  const real *p_half;                   /* stores p½ if H is general */
  /* The following options select the initial guess of lambda, another flow, or another momentum. */
  struct shk_first_guess guess;
  int flow, momentum;
  const struct shk_values *flow_options;
  struct shk_geometric *geometric; /* NULL for the Störmer-Verlet flow */
  struct shk_state ahead;
};

/* ---- (1) and (2) ---- */

/* For separable H: stores q1 and lambda in *to, and p½ - p0 in dp. */
static struct shk_status separable_positions(struct verlet *self, struct shk_state *to,
                                             const struct shk_state *from, real h)
{
  const real *H_q;
  SHK_TRY(shk_gradient_at(self->evaluator, &H_q, from->t, from->q, from->p));
  for (int i = 0; i < self->n; i++)
    self->dp_free[i] = -h / 2 * H_q[i];
  shk_copy(to->lambda, from->lambda, self->m); /* the initial guess */
  return shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                   .t = from->t + h,
                                                   .from = from,
                                                   .to = to,
                                                   .along = self->G0,
                                                   .by = h / 2,
                                                   .drift = h,
                                                   .dp_free = self->dp_free,
                                                   .dp = self->dp,
                                                   .multiplier = to->lambda});
}

/* Stores q1 and lambda in *to, p½ - p0 in dp, and G(q1) in G1. */
static struct shk_status find_positions(struct verlet *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  SHK_TRY(shk_jacobian_at(self->evaluator, &self->G0, from->t, from->q));
  SHK_TRY(self->implicit ? shk_implicit_verlet_solve(self->implicit, to, from, h, self->G0,
                                                     self->dp, &self->p_half)
                         : separable_positions(self, to, from, h));
  return shk_jacobian_at(self->evaluator, &self->G1, from->t + h, to->q);
}

/* ---- a step ---- */

/* Evaluates (1), (2) and, without mu, (3). Stores p1 - p0 in dp. */
static struct shk_status verlet(struct verlet *self, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  const real *H_q;
  self->p_half = from->p; /* used for separable H, whose H_q does not depend on p */
  SHK_TRY(find_positions(self, to, from, h));
  SHK_TRY(shk_gradient_at(self->evaluator, &H_q, from->t + h, to->q, self->p_half));
  for (int i = 0; i < self->n; i++)
    self->dp[i] += -h / 2 * H_q[i];
  return shk_ok();
}

/* Adds the work of the kick of a multiplier. `side` specifies whether *at is the state before or
 * after the kick. */
static void add_work(struct verlet *self, const struct shk_state *at, real t, real h, const real *G,
                     const real *multiplier, enum shk_side side)
{
  if (self->constraint_work)
    *self->constraint_work +=
        shk_kick_work(self->evaluator, self->dp_free, h / 2, G, multiplier, t, at->q, at->p, side);
}

/* Solves (3) for mu and p1. */
static struct shk_status constrain_momenta(struct verlet *self, struct shk_state *to,
                                           const struct shk_state *from, real h)
{
  SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                    .t = from->t + h,
                                                    .from = from,
                                                    .to = to,
                                                    .along = self->G1,
                                                    .by = h / 2,
                                                    .dp = self->dp,
                                                    .multiplier = to->mu}));
  add_work(self, from, from->t, h, self->G0, to->lambda, SHK_BEFORE_KICK);
  add_work(self, to, from->t + h, h, self->G1, to->mu, SHK_AFTER_KICK);
  return shk_ok();
}

/* Replaces p1 with the mean of p1 and the momentum after the next step's kick. This changes p1 by
 * -h/2 G(q1)ᵀ mu, where mu is half of the next step's lambda. Because the change is along the fibre
 * of p1, positions are unaffected, and the next step obtains the other half as its lambda. For
 * separable H, the mean is M (q2 - q0)/2h, which is even in h and therefore of order 2. */
static struct shk_status centre_momenta(struct verlet *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct shk_state here = *to;
  here.t = from->t + h;
  here.lambda = shk_guess_twice(&self->guess, to);
  SHK_TRY(find_positions(self, &self->ahead, &here, h)); /* stores G(q1) in G0 */
  for (int i = 0; i < self->m; i++)
    to->mu[i] = self->ahead.lambda[i] / 2;
  shk_fill(self->dp, 0, self->n);
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, -h / 2, to->mu);
  for (int i = 0; i < self->n; i++)
    real_accumulate(&to->p[i], &to->p_carry[i], self->dp[i]);
  add_work(self, to, here.t, h, self->G0, to->mu, SHK_AFTER_KICK);
  return shk_ok();
}

/* Completes the step by (3) with mu = 0, or with the central momentum. */
static struct shk_status leave_momenta(struct verlet *self, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  shk_move_p(to, from, self->dp);
  shk_fill(to->mu, 0, self->m);
  add_work(self, from, from->t, h, self->G0, to->lambda, SHK_BEFORE_KICK);
  return self->momentum == CENTRAL ? centre_momenta(self, to, from, h) : shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct verlet *self = method;
  const bool guesses = self->guess.kind != SHK_GUESS_PREVIOUS;
  const struct shk_state *guessed = guesses ? shk_guessed(&self->guess, from) : from;
  if (self->geometric) {
    SHK_TRY(shk_geometric_step(self->geometric, to, guessed, h));
  } else {
    SHK_TRY(verlet(self, to, guessed, h));
    SHK_TRY(self->rattle ? constrain_momenta(self, to, from, h) : leave_momenta(self, to, from, h));
  }
  if (guesses)
    shk_note_lambda(&self->guess, to, from);
  return shk_ok();
}

/* ---- binding, claims ---- */

static const struct shk_integrator rattle;

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct verlet *self = method;
  const struct shk_system *system = self->evaluator->system;
  const bool momenta = (system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool here = self->flow == SHK_FLOW_VERLET && !momenta;
  if (self->momentum == CENTRAL && !here)
    return shk_refused("momentum=central requires flow=verlet and constraints on positions");
  self->rattle = binding->integrator == &rattle;
  if (!here)
    return shk_bind_geometric(&self->geometric, binding, self->rattle, &self->constraint_work);
  if (self->momentum == CENTRAL)
    SHK_TRY(shk_bind_state(&self->ahead, binding));
  SHK_TRY(shk_bind_solver(&self->solver, binding));
  return shk_is_general(system)
             ? shk_bind_implicit_verlet(&self->implicit, binding, self->solving.iterations)
             : shk_ok();
}

static void rattle_claims_under(struct shk_claims *claims, const void *method)
{
  const struct verlet *self = method;
  shk_flow_claims(claims, (enum shk_flow_kind)self->flow, self->flow_options, true);
  shk_solving_claims(claims, &self->solving);
}

static void shake_claims_under(struct shk_claims *claims, const void *method)
{
  const struct verlet *self = method;
  shk_flow_claims(claims, (enum shk_flow_kind)self->flow, self->flow_options, false);
  if (self->momentum == CENTRAL) {
    claims->order_p = claims->order_lambda = claims->order_mu = 2;
    claims->local_order_q = claims->local_order_p = SHK_NO_ORDER; /* p1 depends on the next step */
  }
  shk_solving_claims(claims, &self->solving);
}

static const struct shk_stated rattle_claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

/* lambda tends to twice the multiplier. lambda-state has order 1, or order 2 if the unprojected
 * part of p does not change g_qq[v,v], as is the case on a sphere. No order is therefore claimed
 * for it. */
static const struct shk_stated shake_claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 2), SHK_CLAIM(ORDER_P, 1), SHK_CLAIM(ORDER_LAMBDA, 0),
             SHK_CLAIM(ORDER_LAMBDA_MEAN, 2), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_POSITIONS_ONLY,
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

/* ---- the two methods ---- */

static const struct shk_choice momentum_choices[] = SHK_LIST(
    {"carried",
     "the momentum at the end of the step, without a kick of the constraint; its order is 1", NULL},
    {"central",
     "the momentum computed from the positions on either side, M (q_{n+1} - q_{n-1})/2h if H is "
     "separable and M constant; its order is 2. The method also solves for the next step's lambda, "
     "and applies half of its kick. Requires flow=verlet",
     NULL});

#define OPTIONS                                                                                    \
  SHK_CHOICE(verlet, flow, "flow", shk_flow_choices, "verlet",                                     \
             "the underlying unconstrained flow", .nested_at = SHK_AT(verlet, flow_options)),      \
      SHK_SOLVING_OPTIONS(verlet, solving), SHK_FIRST_GUESS_OPTION(verlet, guess)

static const struct shk_option rattle_options[] = SHK_LIST(OPTIONS);
static const struct shk_option shake_options[] = SHK_LIST(
    OPTIONS,
    SHK_CHOICE(verlet, momentum, "momentum", momentum_choices, "carried",
               "momentum at the end of a step; the positions do not depend on this choice"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(verlet, (.n = 1), dp, dp_free),
             SHK_ARRAYS(verlet, (.m = 1), guess.lambda, guess.before, guess.last));

#define SUPPORTS SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT

static const struct shk_integrator rattle = {
    SHK_INTEGRATOR(verlet, arrays, bind, step, rattle_claims_under),
    .constraint_work_at = SHK_AT(verlet, constraint_work),
    .info = {.name = "rattle",
             .family = "constrained and geometric",
             .textbook = "RATTLE (Andersen 1983; for general H Jay 1996): the default options",
             .summary = "RATTLE over Störmer-Verlet or another flow: positions and momenta "
                        "constrained",
             .equations = rattle_equations,
             .citation =
                 "Andersen, J. Comput. Phys. 52 (1983) 24; Jay, SIAM J. Numer. Anal. 33 "
                 "(1996) 368; Hairer, Lubich & Wanner, GNI, eq. VII.1.26; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, def. 1.3-1.4",
             .options = rattle_options,
             .supports = SUPPORTS,
             .claims = rattle_claims}};

static const struct shk_integrator shake = {
    SHK_INTEGRATOR(verlet, arrays, bind, step, shake_claims_under),
    .constraint_work_at = SHK_AT(verlet, constraint_work),
    .info = {.name = "shake",
             .family = "constrained and geometric",
             .textbook = "SHAKE (Ryckaert, Ciccotti & Berendsen 1977): the default options",
             .partner = "rattle",
             .summary = "SHAKE over Störmer-Verlet or another flow: positions constrained, momenta "
                        "carried unprojected",
             .equations = shake_equations,
             .citation =
                 "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, eq. (11)",
             .options = shake_options,
             .supports = SUPPORTS,
             .claims = shake_claims}};

SHK_PROVIDE(shake_rattle, .integrators = SHK_INTEGRATORS(&shake, &rattle));
