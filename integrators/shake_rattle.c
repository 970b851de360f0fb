/*
 * SHAKE and RATTLE over Störmer-Verlet, for H(q,p) and constraints g(q,t) = 0; the equations below
 * are one step from (q0,p0). For separable H all but lambda and mu is explicit. Forces Q(q,p,t) are
 * part of H_q, which stands for H_q - Q. lambda and mu are in units of force, the force of the
 * constraint is -Gᵀ lambda; q and p are summed with compensation. (4) and (5) are solved in
 * geometric/geometric.c.
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
    "momentum=central: p1 - h/4 G(q1)ᵀ lambda of the step after, M (q2 - q0)/2h for separable\n"
    "H; lambda and mu then tend to the problem's multiplier.\n" OTHER_FORMS;

#include "integrators/geometric/geometric.h"
#include "integrators/kit/first_guess.h"
#include "integrators/kit/impulse.h"
#include "integrators/kit/stage_matrix.h"

#include <shakedown/plugin.h>

/* Choices of the momentum with which SHAKE ends a step. */
enum { CARRIED, CENTRAL };

struct verlet {
  struct shk_evaluator *evaluator;
  int n, m;
  bool rattle; /* else SHAKE */
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  const real *G0, *G1; /* values of G at q0 and q1, which the evaluator remembers */
  real *dp, *dp_free;
  real *work; /* destination of the sum of the constraint work; NULL: none */
  /* General H: Newton's method for x = (p½, q1, lambda h/2). */
  struct shk_newton *newton;
  real *x, *weights, *v0, *v1, *hessian0, *hessian1, *G_of_iterate;
  const struct shk_state *from;
  real h;
  /* Options: initial guess of lambda, another flow, another momentum. */
  struct shk_first_guess guess;
  int flow, momentum;
  const struct shk_values *flow_options;
  struct shk_geometric *geometric; /* NULL: the step above */
  struct shk_state ahead;
};

/* ---- (1) and (2) ---- */

/* For separable H: stores q1 and lambda in *to, p½ - p0 in dp and G(q1) in G1. */
static struct shk_status separable_positions(struct verlet *w, struct shk_state *to,
                                             const struct shk_state *from, real h)
{
  const real *H_q;
  SHK_TRY(shk_gradient_at(w->evaluator, &H_q, from->t, from->q, from->p));
  shk_vector_scaled(w->dp_free, -h / 2, H_q, w->n);
  shk_copy(to->lambda, from->lambda, w->m); /* the initial guess */
  SHK_TRY(shk_kick(w->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                 .t = from->t + h,
                                                 .from = from,
                                                 .to = to,
                                                 .along = w->G0,
                                                 .by = h / 2,
                                                 .drift = h,
                                                 .dp_free = w->dp_free,
                                                 .dp = w->dp,
                                                 .multiplier = to->lambda}));
  return shk_jacobian_at(w->evaluator, &w->G1, from->t + h, to->q);
}

/* Stores the Jacobian in x of (1), (2) and g(q1), from the values that `equations` has computed. */
static void jacobian_of_equations(struct verlet *w, real *J)
{
  const struct shk_evaluator *e = w->evaluator;
  const int n = w->n, stride = 2 * n;
  const real half = w->h / 2;
  const struct shk_stage_matrix matrix = shk_stage_matrix(J, 2 * n + w->m);
  real *const H_pp0 = w->hessian0 + (size_t)n * stride + n, *const H_pq1 =
                                                                w->hessian1 + (size_t)n * stride;
  for (int i = 0; i < n; i++) /* H_pp(q0,p½) + H_pp(q1,p½) */
    for (int j = 0; j < n; j++)
      H_pp0[(size_t)i * stride + j] += H_pq1[(size_t)i * stride + n + j];
  shk_add_identity(matrix, 0, 0, n);
  shk_add_block(matrix, 0, 0, half, w->hessian0 + n, stride, n);
  shk_add_jacobian_transposed(matrix, 0, 2 * n, 1, e, w->G0);
  shk_add_block(matrix, n, 0, -half, H_pp0, stride, n);
  shk_add_identity(matrix, n, n, n);
  shk_add_block(matrix, n, n, -half, H_pq1, stride, n);
  shk_add_jacobian(matrix, 2 * n, n, 1, e, w->G_of_iterate);
}

/* Computes F = (1), (2), g(q1) and its Jacobian in x. */
static struct shk_status equations(void *method, real *F, real *J, const real *x)
{
  struct verlet *w = method;
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  const int n = w->n;
  const real half = w->h / 2, t0 = from->t, t1 = t0 + w->h;
  const real *p = x, *q1 = x + n, *l = x + 2 * n, *H_q;
  SHK_TRY(shk_gradient_at(e, &H_q, t0, from->q, p));
  SHK_TRY(shk_velocity(e, w->v0, t0, from->q, p));
  SHK_TRY(shk_velocity(e, w->v1, t1, q1, p));
  SHK_TRY(shk_hessian(e, w->hessian0, t0, from->q, p));
  SHK_TRY(shk_hessian(e, w->hessian1, t1, q1, p));
  SHK_TRY(shk_iterate_constraint(e, F + 2 * n, t1, q1));
  SHK_TRY(shk_iterate_jacobian(e, w->G_of_iterate, t1, q1));
  shk_momentum_weights(w->weights, n, real_max_norm(from->q, n), real_max_norm(from->p, n), w->h,
                       w->hessian0);
  for (int i = 0; i < n; i++) {
    F[i] = (p[i] - from->p[i]) - from->p_carry[i] + half * H_q[i];
    F[n + i] = (q1[i] - from->q[i]) - from->q_carry[i] - half * (w->v0[i] + w->v1[i]);
  }
  shk_jacobian_transposed_add(e, F, w->G0, 1, l);
  jacobian_of_equations(w, J);
  return shk_ok();
}

/* Stores the same for a general H, from the increments of the solution, for compensated sums. */
static struct shk_status general_positions(struct verlet *w, struct shk_state *to,
                                           const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n;
  const real half = h / 2, *p = w->x, *q1 = w->x + n, *l = w->x + 2 * n, *H_q;
  w->from = from;
  w->h = h;
  for (int i = 0; i < n; i++) {
    w->x[i] = from->p[i];
    w->x[n + i] = from->q[i];
    w->weights[i] = shk_size_of(from->p, n);
    w->weights[n + i] = shk_size_of(from->q, n);
  }
  for (int i = 0; i < w->m; i++)
    w->x[2 * n + i] = half * from->lambda[i];
  SHK_TRY(shk_newton_find_range(w->newton, w->G0));
  SHK_TRY(shk_newton_solve(w->newton, e, w->x, 2 * n, w->weights, equations, w));
  SHK_TRY(shk_gradient_at(e, &H_q, from->t, from->q, p));
  SHK_TRY(shk_velocity(e, w->v0, from->t, from->q, p));
  SHK_TRY(shk_velocity(e, w->v1, from->t + h, q1, p));
  for (int i = 0; i < n; i++) {
    w->dp[i] = -half * H_q[i];
    w->v0[i] = half * (w->v0[i] + w->v1[i]);
  }
  shk_jacobian_transposed_add(e, w->dp, w->G0, -1, l);
  for (int i = 0; i < w->m; i++)
    to->lambda[i] = l[i] / half;
  shk_move_q(to, from, w->v0);
  return shk_jacobian_at(e, &w->G1, from->t + h, to->q);
}

/* Stores q1 and lambda in *to and p½ - p0 in dp. */
static struct shk_status positions(struct verlet *w, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  SHK_TRY(shk_jacobian_at(w->evaluator, &w->G0, from->t, from->q));
  return w->newton ? general_positions(w, to, from, h) : separable_positions(w, to, from, h);
}

/* ---- a step ---- */

/* Computes (1), (2), and (3) without mu; stores p1 - p0 in dp. */
static struct shk_status verlet(struct verlet *w, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  const real *H_q,
      *p_half = w->newton ? w->x : from->p; /* if H is separable, H_q does not depend on p */
  SHK_TRY(positions(w, to, from, h));
  SHK_TRY(shk_gradient_at(w->evaluator, &H_q, from->t + h, to->q, p_half));
  shk_vector_add(w->dp, -h / 2, H_q, w->n);
  return shk_ok();
}

/* Adds the work of the kick of a multiplier; side: *at is the state before the kick, or after
 * it. */
static void add_work(struct verlet *w, const struct shk_state *at, real t, real h, const real *G,
                     const real *multiplier, enum shk_side side)
{
  if (w->work)
    *w->work +=
        shk_kick_work(w->evaluator, w->dp_free, h / 2, G, multiplier, t, at->q, at->p, side);
}

/* (3): mu and p1. */
static struct shk_status constrain_momenta(struct verlet *w, struct shk_state *to,
                                           const struct shk_state *from, real h)
{
  SHK_TRY(shk_kick(w->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                 .t = from->t + h,
                                                 .from = from,
                                                 .to = to,
                                                 .along = w->G1,
                                                 .by = h / 2,
                                                 .dp = w->dp,
                                                 .multiplier = to->mu}));
  add_work(w, from, from->t, h, w->G0, to->lambda, SHK_BEFORE_KICK);
  add_work(w, to, from->t + h, h, w->G1, to->mu, SHK_AFTER_KICK);
  return shk_ok();
}

/* Moves p1 to the mean of p1 and the momentum after the next step's kick: by -h/2 G(q1)ᵀ mu, with
 * mu half of the next step's lambda. This is on the fibre of p1, so that positions stay; the next
 * step finds the other half as its lambda. For separable H the mean is M (q2 - q0)/2h, even in h
 * and so of order 2. */
static struct shk_status centre(struct verlet *w, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  struct shk_state here = *to;
  here.t = from->t + h;
  here.lambda = shk_guess_twice(&w->guess, to);
  SHK_TRY(positions(w, &w->ahead, &here, h)); /* G0 <- G(q1) */
  for (int i = 0; i < w->m; i++)
    to->mu[i] = w->ahead.lambda[i] / 2;
  shk_fill(w->dp, 0, w->n);
  shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, -h / 2, to->mu);
  for (int i = 0; i < w->n; i++)
    real_accumulate(&to->p[i], &to->p_carry[i], w->dp[i]);
  add_work(w, to, here.t, h, w->G0, to->mu, SHK_AFTER_KICK);
  return shk_ok();
}

/* (3) with mu = 0, or the central momentum. */
static struct shk_status carry_momenta(struct verlet *w, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  shk_move_p(to, from, w->dp);
  shk_fill(to->mu, 0, w->m);
  add_work(w, from, from->t, h, w->G0, to->lambda, SHK_BEFORE_KICK);
  return w->momentum == CENTRAL ? centre(w, to, from, h) : shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct verlet *w = method;
  const struct shk_state *guessed = shk_guessed(&w->guess, from);
  if (w->geometric) {
    SHK_TRY(shk_geometric_step(w->geometric, to, guessed, h));
  } else {
    SHK_TRY(verlet(w, to, guessed, h));
    SHK_TRY(w->rattle ? constrain_momenta(w, to, from, h) : carry_momenta(w, to, from, h));
  }
  shk_note_lambda(&w->guess, to, from);
  return shk_ok();
}

/* ---- binding, claims ---- */

static const struct shk_integrator rattle;

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct verlet *w = method;
  const struct shk_system *system = w->evaluator->system;
  const bool momenta = (system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool here = w->flow == SHK_FLOW_VERLET && !momenta;
  if (w->momentum == CENTRAL && !here)
    return shk_refused("momentum=central is for flow=verlet and constraints on positions");
  w->rattle = binding->integrator == &rattle;
  if (!here)
    return shk_bind_geometric(&w->geometric, binding, w->rattle, &w->work);
  if (w->momentum == CENTRAL)
    SHK_TRY(shk_bind_state(&w->ahead, binding));
  SHK_TRY(shk_bind_solver(&w->solver, binding));
  if (!shk_is_general(system))
    return shk_ok();
  SHK_TRY(shk_bind_newton(&w->newton, binding, 2 * w->n + w->m, w->solving.iterations));
  return shk_newton_take_redundant(w->newton, w->evaluator, binding->options);
}

static void rattle_claims_under(struct shk_claims *claims, const void *method)
{
  const struct verlet *w = method;
  shk_flow_claims(claims, (enum shk_flow_kind)w->flow, w->flow_options, true);
  shk_solving_claims(claims, &w->solving);
}

static void shake_claims_under(struct shk_claims *claims, const void *method)
{
  const struct verlet *w = method;
  shk_flow_claims(claims, (enum shk_flow_kind)w->flow, w->flow_options, false);
  if (w->momentum == CENTRAL) {
    claims->order_p = claims->order_lambda = claims->order_mu = 2;
    claims->local_order_q = claims->local_order_p = SHK_NO_ORDER; /* p1 depends on the next step */
  }
  shk_solving_claims(claims, &w->solving);
}

static const struct shk_stated rattle_claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

/* lambda tends to twice the multiplier. The order of lambda-state is 1, but 2 where the unprojected
 * part of p does not change g_qq[v,v], as on a sphere: it is not claimed. */
static const struct shk_stated shake_claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 2), SHK_CLAIM(ORDER_P, 1), SHK_CLAIM(ORDER_LAMBDA, 0),
             SHK_CLAIM(ORDER_LAMBDA_MEAN, 2), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_POSITIONS_ONLY,
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

/* ---- the two methods ---- */

static const struct shk_choice momentum_choices[] = SHK_LIST(
    {"carried", "the momentum at the end of the step, without a kick of the constraint, of order 1",
     NULL},
    {"central",
     "that of the positions on either side, M (q_{n+1} - q_{n-1})/2h where H is separable and M "
     "constant, of order 2: the next step's lambda is solved for as well, and half of its kick "
     "made. flow=verlet only",
     NULL});

#define OPTIONS                                                                                    \
  SHK_CHOICE(verlet, flow, "flow", shk_flow_choices, "verlet",                                     \
             "the underlying unconstrained flow", .nested_at = SHK_AT(verlet, flow_options)),      \
      SHK_SOLVING_OPTIONS(verlet, solving), SHK_FIRST_GUESS_OPTION(verlet, guess)

static const struct shk_option rattle_options[] = SHK_LIST(OPTIONS);
static const struct shk_option shake_options[] =
    SHK_LIST(OPTIONS, SHK_CHOICE(verlet, momentum, "momentum", momentum_choices, "carried",
                                 "momentum at the end of a step; positions do not depend on it"));

#define GENERAL .only = SHK_GENERAL
static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(verlet, (.n = 1), dp, dp_free),
             SHK_ARRAYS(verlet, (.m = 1), guess.lambda, guess.before, guess.last),
             SHK_ARRAYS(verlet, (.n = 2, .m = 1, GENERAL), x, weights),
             SHK_ARRAYS(verlet, (.n = 1, GENERAL), v0, v1),
             SHK_ARRAYS(verlet, (.entries = 1, GENERAL), G_of_iterate),
             SHK_ARRAYS(verlet, (.nn = 4, GENERAL), hessian0, hessian1));

#define SUPPORTS SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT

static const struct shk_integrator rattle = {
    SHK_INTEGRATOR(verlet, arrays, bind, step, rattle_claims_under),
    .work_at = SHK_AT(verlet, work),
    .info = {.name = "rattle",
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
    SHK_INTEGRATOR(verlet, arrays, bind, step, shake_claims_under), .work_at = SHK_AT(verlet, work),
    .info = {.name = "shake",
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
