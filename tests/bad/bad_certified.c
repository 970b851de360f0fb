/*
 * Methods with one fault each, for certificates: `bad-certified(fault=…)` claims what RATTLE over
 * Störmer-Verlet claims (the composition: order 4), and `shakedown certify` must falsify the claim
 * that its fault breaks. fault=none is the control, of which nothing may be falsified;
 * fault=modest is the control that claims not to be symplectic, symmetric or bounded. Separable
 * systems only.
 */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

enum fault {
  NONE,
  GRADIENT_OLD,
  DIRECTION_NEW,
  NO_PROJECTION,
  HALF_IMPULSE,
  HALF_POSITION_IMPULSE,
  FIFTEENTH_DIGIT,
  WRONG_SEQUENCE,
  RIGHT_SEQUENCE,
  LOOSE_SOLVE,
  SIGN_OF_STEP,
  STALE_FACTOR,
  OLD_FIBRE,
  DAMPED,
  SIDE_WIND,
  MODEST
};

static const struct shk_head faults[] = {
    {"none", "RATTLE as it should be: the control", NULL},
    {"gradient-old", "the second half kick takes the force of the old position", NULL},
    {"direction-new", "the constraint acts along the normals of the new position", NULL},
    {"no-projection", "the hidden constraint is left alone", NULL},
    {"half-impulse", "half of the hidden constraint's impulse is applied", NULL},
    {"half-position-impulse", "half of the position constraint's impulse reaches the momentum",
     NULL},
    {"fifteenth-digit", "the first half kick is wrong in its fifteenth digit", NULL},
    {"wrong-sequence", "a triple jump whose steps are in the wrong sequence", NULL},
    {"right-sequence", "the triple jump as it should be", NULL},
    {"loose-solve", "positions are accepted within 1e-7", NULL},
    {"sign-of-step", "the second half kick takes a step for a length", NULL},
    {"stale-factor", "one solve with the old position's matrix is called exact", NULL},
    {"old-fibre", "the hidden constraint is reached along the old position's normals", NULL},
    {"damped", "momenta lose a millionth in a unit of time", NULL},
    {"side-wind", "a constant force of 1e-9 that no potential of the problem has", NULL},
    {"modest", "RATTLE, but claiming not to be symplectic, symmetric or reversible", NULL},
    {0}};

struct method {
  struct shk_evaluator *e;
  struct shk_multiplier_solver *solver;
  struct shk_linear *linear;
  enum fault fault;
  int n, m;
  struct shk_state middle[2];
  real *G0, *G1, *gradient, *old, *dp, *dp_free, *p_half, *rate;
  real block[];
};

static void bad_destroy(void *method)
{
  struct method *w = method;
  if (w == NULL)
    return;
  shk_multiplier_destroy(w->solver);
  shk_linear_destroy(w->linear);
  shk_state_clear(&w->middle[0]);
  shk_state_clear(&w->middle[1]);
  free(w);
}

static struct shk_status bad_create(void **method, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const size_t entries = (size_t)e->row_start[m];
  struct method *w = calloc(1, sizeof *w + (2 * entries + 5 * n + m) * sizeof(real));
  struct shk_status status = shk_failure(SHK_NO_MEMORY, "no memory", 0, 0);
  *method = NULL;
  if (w == NULL)
    return status;
  w->e = e;
  w->fault = (enum fault)shk_values_choice(binding->options, "fault");
  w->n = (int)n;
  w->m = (int)m;
  w->G0 = w->block;
  w->G1 = w->G0 + entries;
  w->gradient = w->G1 + entries;
  w->old = w->gradient + n;
  w->dp = w->old + n;
  w->dp_free = w->dp + n;
  w->p_half = w->dp_free + n;
  w->rate = w->p_half + n;
  if (shk_state_init(&w->middle[0], w->n, w->m) && shk_state_init(&w->middle[1], w->n, w->m))
    status = shk_multiplier_create(&w->solver, e, binding->options);
  if (status.code == SHK_OK)
    status = shk_linear_create(&w->linear, e, NULL);
  if (status.code != SHK_OK)
    bad_destroy(w);
  else
    *method = w;
  return status;
}

/* q1 = q0 + h M⁻¹(p0 + dp) with dp = dp_free - kick G_bᵀ lambda, given lambda; g(q1) into g. */
static struct shk_status explicit_positions(struct method *w, struct shk_state *to,
                                            const struct shk_state *from, real h, real kick,
                                            real *g)
{
  for (int i = 0; i < w->n; i++)
    w->dp[i] = w->dp_free[i];
  shk_jacobian_transposed_add(w->e, w->dp, w->G0, -kick, to->lambda);
  for (int i = 0; i < w->n; i++) {
    w->p_half[i] = from->p[i] + from->p_carry[i] + w->dp[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], h * w->p_half[i] / w->e->system->mass[i]);
  }
  return shk_constraint(w->e, g, from->t + h, to->q);
}

/* Newton with the matrix of the old position: once, or until max|g| is at most 1e-7. */
static struct shk_status sloppy_positions(struct method *w, struct shk_state *to,
                                          const struct shk_state *from, real h, real kick)
{
  real *g = w->rate;
  memset(to->lambda, 0, (size_t)w->m * sizeof(real));
  SHK_TRY(shk_linear_factor(w->linear, w->G0, w->G0));
  SHK_TRY(explicit_positions(w, to, from, h, kick, g));
  for (int i = 0; i < 50; i++) {
    if (w->fault == LOOSE_SOLVE && real_max_norm(g, w->m) <= R(1e-7))
      break;
    shk_linear_solve(w->linear, g);
    for (int j = 0; j < w->m; j++)
      to->lambda[j] += g[j] / (h * kick);
    SHK_TRY(explicit_positions(w, to, from, h, kick, g));
    if (w->fault == STALE_FACTOR)
      break;
  }
  return shk_jacobian(w->e, w->G1, from->t + h, to->q);
}

static struct shk_status positions(struct method *w, struct shk_state *to,
                                   const struct shk_state *from, real h, real kick,
                                   const real *direction)
{
  return shk_solve_position(w->solver, &(struct shk_position_solve){.t1 = from->t + h,
                                                                    .kick = kick,
                                                                    .drift = h,
                                                                    .q = from->q,
                                                                    .q_carry = from->q_carry,
                                                                    .p = from->p,
                                                                    .p_carry = from->p_carry,
                                                                    .dp_free = w->dp_free,
                                                                    .G_b = direction,
                                                                    .lambda = to->lambda,
                                                                    .dp = w->dp,
                                                                    .p1 = w->p_half,
                                                                    .q1 = to->q,
                                                                    .q1_carry = to->q_carry,
                                                                    .G1 = w->G1});
}

/* The same with the normals of the position it arrives at, which it approaches. */
static struct shk_status positions_along_new(struct method *w, struct shk_state *to,
                                             const struct shk_state *from, real h, real kick)
{
  const size_t entries = (size_t)w->e->row_start[w->m];
  for (int i = 0; i < 60; i++) {
    SHK_TRY(positions(w, to, from, h, kick, w->G0));
    memcpy(w->G0, w->G1, entries * sizeof(real));
  }
  return shk_ok();
}

static struct shk_status rattle_step(struct method *w, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  const real half = h / 2;
  real kick = half, second = half;
  if (w->fault == FIFTEENTH_DIGIT)
    kick *= 1 + R(1e-15);
  if (w->fault == SIGN_OF_STEP)
    second = real_fabs(half);
  SHK_TRY(shk_gradient(w->e, w->old, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(w->e, w->G0, from->t, from->q));
  if (w->fault == SIDE_WIND)
    w->old[0] += R(1e-9);
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -kick * w->old[i];
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  if (w->fault == LOOSE_SOLVE || w->fault == STALE_FACTOR)
    SHK_TRY(sloppy_positions(w, to, from, h, half));
  else if (w->fault == DIRECTION_NEW)
    SHK_TRY(positions_along_new(w, to, from, h, half));
  else
    SHK_TRY(positions(w, to, from, h, half, w->G0));
  if (w->fault == HALF_POSITION_IMPULSE)
    for (int i = 0; i < w->n; i++)
      w->dp[i] = (w->dp[i] + w->dp_free[i]) / 2;
  SHK_TRY(shk_gradient(w->e, w->gradient, from->t + h, to->q, from->p));
  if (w->fault == SIDE_WIND)
    w->gradient[0] += R(1e-9);
  for (int i = 0; i < w->n; i++)
    w->dp[i] -= second * (w->fault == GRADIENT_OLD ? w->old[i] : w->gradient[i]);
  if (w->fault == DAMPED)
    for (int i = 0; i < w->n; i++)
      w->dp[i] -= h * R(1e-6) * from->p[i];
  if (w->fault == OLD_FIBRE) {
    /* Slides along G(q0) to where G(q1) M⁻¹ p = 0. */
    for (int i = 0; i < w->n; i++)
      w->old[i] = (from->p[i] + w->dp[i]) / w->e->system->mass[i];
    shk_jacobian_times(w->e, to->mu, w->G1, w->old);
    SHK_TRY(shk_linear_factor(w->linear, w->G1, w->G0));
    shk_linear_solve(w->linear, to->mu);
    shk_jacobian_transposed_add(w->e, w->dp, w->G0, -1, to->mu);
  }
  const struct shk_hidden_solve task = {.t1 = from->t + h,
                                        .kick = half,
                                        .q1 = to->q,
                                        .p = from->p,
                                        .p_carry = from->p_carry,
                                        .G1 = w->G1,
                                        .mu = to->mu,
                                        .dp = w->dp,
                                        .p1 = to->p,
                                        .p1_carry = to->p_carry};
  memcpy(w->old, w->dp, (size_t)w->n * sizeof(real));
  SHK_TRY(shk_solve_hidden(w->solver, &task));
  if (w->fault == NO_PROJECTION || w->fault == HALF_IMPULSE) {
    const real share = w->fault == NO_PROJECTION ? 0 : R(0.5);
    for (int i = 0; i < w->n; i++) {
      to->p[i] = from->p[i];
      to->p_carry[i] = from->p_carry[i];
      real_accumulate(&to->p[i], &to->p_carry[i], w->old[i] + share * (w->dp[i] - w->old[i]));
    }
  }
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *w = method;
  if (w->fault != WRONG_SEQUENCE && w->fault != RIGHT_SEQUENCE)
    return rattle_step(w, to, from, h);
  /* γ = 1/(2 - 2^(1/3)), and 1 - 2γ in the middle (Yoshida 1990). */
  const real outer = 1 / (2 - real_pow(2, R(1.0) / 3)), inner = 1 - 2 * outer;
  const bool right = w->fault == RIGHT_SEQUENCE;
  SHK_TRY(rattle_step(w, &w->middle[0], from, outer * h));
  w->middle[0].t = from->t + outer * h;
  const real second = right ? inner : outer, third = right ? outer : inner;
  SHK_TRY(rattle_step(w, &w->middle[1], &w->middle[0], second * h));
  w->middle[1].t = w->middle[0].t + second * h;
  return rattle_step(w, to, &w->middle[1], third * h);
}

static void bad_claims(struct shk_claims *claims, const struct shk_values *options)
{
  const enum fault fault = (enum fault)shk_values_choice(options, "fault");
  if (fault == MODEST) {
    claims->symplectic = claims->presymplectic = claims->symmetric = SHK_NO;
  } else if (fault == WRONG_SEQUENCE || fault == RIGHT_SEQUENCE) {
    claims->order_q = claims->order_p = claims->order_lambda_state = 4;
    claims->order_lambda = claims->order_mu = claims->order_lambda_mean = SHK_NO_ORDER;
    claims->order_lambda_sum = SHK_NO_ORDER;
  }
}

static const struct shk_option options[] = {{.name = "fault",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "none",
                                             .heads = faults,
                                             .meaning = "what is wrong"},
                                            SHK_SOLVER_OPTIONS,
                                            {0}};

static const struct shk_integrator bad_certified = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "bad-certified",
             .summary = "RATTLE with a fault that a certificate must find",
             .equations = "see rattle",
             .citation = "none",
             .options = options,
             .claims = {.order_q = 2,
                        .order_p = 2,
                        .order_lambda = 1,
                        .order_mu = 1,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        .order_lambda_state = 2,
                        .symplectic = SHK_YES,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_YES,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES,
                        .energy_bounded = SHK_YES}},
    .create = bad_create,
    .step = bad_step,
    .destroy = bad_destroy,
    .claims = bad_claims};

SHK_PROVIDE(bad_certified, .integrators = SHK_INTEGRATORS(&bad_certified));
