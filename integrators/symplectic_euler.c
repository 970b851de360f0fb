/*
 * SHAKE and RATTLE over the symplectic Euler flow (Hairer, Lubich & Wanner, GNI, eq. VII.1.20-21).
 *
 *     p⁻ = p0 - h (H_q(q0,p⁻) + G(q0)ᵀ lambda),   q1 = q0 + h H_p(q0,p⁻),   g(q1) = 0
 *     p1 = p⁻ - h G(q1)ᵀ mu,                       G(q1) H_p(q1,p1) = 0       (RATTLE)
 *
 * SHAKE carries p⁻ on. Explicit in q and p for separable H; for a general one p⁻ is implicit.
 * Forces of the constraint are -Gᵀ lambda; lambda and mu are in units of force. A step may be
 * negative.
 *
 * Generalized forces are a part of H_q, which stands for H_q - Q(q0,p⁻,t0); where g depends on t, g
 * and G are those at the time of their position, and g_t is added to the hidden constraint. Sums of
 * q and p are compensated. Not for constraints that depend on p.
 */
#include <shakedown/impulse.h>
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct euler {
  struct shk_evaluator *evaluator;
  bool rattle;
  int n, m;
  struct shk_multiplier_solver *solver;
  struct shk_newton *momentum; /* the implicit p⁻ of general systems */
  real *G0, *G1, *gradient, *dp, *dp_free, *p_minus;
  /* general systems: */
  real *x, *weights; /* (p⁻, lambda h) */
  real *hessian, *velocity, *q1;
  const struct shk_state *from;
  real h;
  void *block;
  real *work_sum; /* NULL: nobody asks for the constraint work */
};

/* F and its Jacobian in (p⁻, l = lambda h):
 *     F1 = p⁻ - p0 + h H_q(q0,p⁻) + G0ᵀ l,   F2 = g(q0 + h H_p(q0,p⁻)) */
static struct shk_status momentum_stage(void *user, real *F, real *J, const real *x)
{
  struct euler *w = user;
  struct shk_evaluator *e = w->evaluator;
  const struct shk_state *from = w->from;
  const int n = w->n, m = w->m, size = n + m, stride = 2 * n;
  const real h = w->h;
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, x));
  SHK_TRY(shk_velocity(e, w->velocity, from->t, from->q, x));
  SHK_TRY(shk_hessian(e, w->hessian, from->t, from->q, x));
  shk_momentum_weights(w->weights, n, real_max_norm(from->q, n), real_max_norm(from->p, n), h,
                       w->hessian);
  for (int i = 0; i < n; i++)
    w->q1[i] = from->q[i] + (h * w->velocity[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, F + n, from->t + h, w->q1));
  SHK_TRY(shk_jacobian(e, w->G1, from->t + h, w->q1));
  for (int i = 0; i < n; i++)
    F[i] = (x[i] - from->p[i]) - from->p_carry[i] + h * w->gradient[i];
  shk_jacobian_transposed_add(e, F, w->G0, 1, x + n);
  memset(J, 0, (size_t)size * (size_t)size * sizeof *J);
  for (int i = 0; i < n; i++) {
    real *row = J + (size_t)i * size;
    for (int j = 0; j < n; j++)
      row[j] = h * w->hessian[(size_t)i * stride + n + j];
    row[i] += 1;
  }
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      J[(size_t)c * size + n + i] += w->G0[k];
      for (int j = 0; j < n; j++)
        J[(size_t)(n + i) * size + j] +=
            h * w->G1[k] * w->hessian[(size_t)(n + c) * stride + n + j];
    }
  return shk_ok();
}

/* p⁻ into dp (its increment) and p_minus, q1 with its carry, lambda. */
static struct shk_status general_momentum(struct euler *w, struct shk_state *to,
                                          const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m;
  w->from = from;
  w->h = h;
  memcpy(w->x, from->p, (size_t)n * sizeof(real));
  for (int i = 0; i < m; i++)
    w->x[n + i] = h * from->lambda[i];
  SHK_TRY(shk_newton_find_range(w->momentum, w->G0));
  SHK_TRY(shk_newton_solve(w->momentum, e, w->x, n, w->weights, momentum_stage, w));
  /* The increments at the solution, summed with compensation. */
  memcpy(w->p_minus, w->x, (size_t)n * sizeof(real));
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, w->p_minus));
  SHK_TRY(shk_velocity(e, w->velocity, from->t, from->q, w->p_minus));
  for (int i = 0; i < n; i++) {
    w->dp[i] = -h * w->gradient[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], h * w->velocity[i]);
  }
  shk_jacobian_transposed_add(e, w->dp, w->G0, -1, w->x + n);
  for (int i = 0; i < m; i++)
    to->lambda[i] = w->x[n + i] / h;
  return w->rattle ? shk_jacobian(e, w->G1, from->t + h, to->q) : shk_ok();
}

static struct shk_status separable_momentum(struct euler *w, struct shk_state *to,
                                            const struct shk_state *from, real h)
{
  SHK_TRY(shk_gradient(w->evaluator, w->gradient, from->t, from->q, from->p));
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -h * w->gradient[i];
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  return shk_solve_position(w->solver, &(struct shk_position_solve){.t1 = from->t + h,
                                                                    .kick = h,
                                                                    .drift = h,
                                                                    .q = from->q,
                                                                    .q_carry = from->q_carry,
                                                                    .p = from->p,
                                                                    .p_carry = from->p_carry,
                                                                    .dp_free = w->dp_free,
                                                                    .G_b = w->G0,
                                                                    .lambda = to->lambda,
                                                                    .dp = w->dp,
                                                                    .q1 = to->q,
                                                                    .q1_carry = to->q_carry,
                                                                    .G1 = w->G1});
}

static struct shk_status advance(struct euler *w, struct shk_state *to,
                                 const struct shk_state *from, real h)
{
  SHK_TRY(shk_jacobian(w->evaluator, w->G0, from->t, from->q));
  SHK_TRY(w->momentum != NULL ? general_momentum(w, to, from, h)
                              : separable_momentum(w, to, from, h));
  if (w->rattle) {
    return shk_solve_hidden(w->solver, &(struct shk_hidden_solve){.t1 = from->t + h,
                                                                  .kick = h,
                                                                  .q1 = to->q,
                                                                  .p = from->p,
                                                                  .p_carry = from->p_carry,
                                                                  .G1 = w->G1,
                                                                  .mu = to->mu,
                                                                  .dp = w->dp,
                                                                  .p1 = to->p,
                                                                  .p1_carry = to->p_carry});
  }
  for (int i = 0; i < w->n; i++) {
    to->p[i] = from->p[i];
    to->p_carry[i] = from->p_carry[i];
    real_accumulate(&to->p[i], &to->p_carry[i], w->dp[i]);
  }
  for (int i = 0; i < w->m; i++)
    to->mu[i] = 0;
  return shk_ok();
}

/* A step, and the work of the kicks of lambda before the flow and of mu after it. */
static struct shk_status euler_step(void *method, struct shk_state *to,
                                    const struct shk_state *from, real h)
{
  struct euler *w = method;
  SHK_TRY(advance(w, to, from, h));
  if (w->work_sum == NULL)
    return shk_ok();
  *w->work_sum += shk_kick_work(w->evaluator, w->gradient, h, w->G0, to->lambda, from->t, from->q,
                                from->p, SHK_BEFORE_KICK);
  if (w->rattle)
    *w->work_sum += shk_kick_work(w->evaluator, w->gradient, h, w->G1, to->mu, from->t + h, to->q,
                                  to->p, SHK_AFTER_KICK);
  return shk_ok();
}

static bool euler_constraint_work(void *method, real *sum)
{
  ((struct euler *)method)->work_sum = sum;
  return true;
}

static void euler_destroy(void *method)
{
  struct euler *w = method;
  if (w == NULL)
    return;
  shk_multiplier_destroy(w->solver);
  shk_newton_destroy(w->momentum);
  free(w->block);
  free(w);
}

static struct shk_status euler_create(struct euler *w, const struct shk_binding *binding)
{
  struct shk_evaluator *e = w->evaluator;
  const size_t n = (size_t)w->n, m = (size_t)w->m, entries = (size_t)e->row_start[m];
  const bool general = shk_is_general(e->system);
  real *block =
      calloc(2 * entries + 4 * n + (general ? 4 * n * n + 4 * n + m : 0) + 1, sizeof *block);
  w->block = block;
  if (block == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  w->G0 = block;
  w->G1 = w->G0 + entries;
  w->gradient = w->G1 + entries;
  w->dp = w->gradient + n;
  w->dp_free = w->dp + n;
  w->p_minus = w->dp_free + n;
  SHK_TRY(shk_multiplier_create(&w->solver, e, binding->options));
  if (!general)
    return shk_ok();
  w->hessian = w->p_minus + n;
  w->velocity = w->hessian + 4 * n * n;
  w->q1 = w->velocity + n;
  w->weights = w->q1 + n;
  w->x = w->weights + n;
  SHK_TRY(shk_newton_create(&w->momentum, (int)(n + m),
                            shk_values_integer(binding->options, "iterations")));
  return shk_newton_take_redundant(w->momentum, e, binding->options);
}

static struct shk_status create_either(void **method, const struct shk_binding *binding,
                                       bool rattle)
{
  struct euler *w = calloc(1, sizeof *w);
  *method = w;
  if (w == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  w->evaluator = binding->evaluator;
  w->rattle = rattle;
  w->n = binding->evaluator->system->n;
  w->m = binding->evaluator->system->m;
  const struct shk_status status = euler_create(w, binding);
  if (status.code != SHK_OK) {
    euler_destroy(w);
    *method = NULL;
  }
  return status;
}

static struct shk_status shake_create(void **method, const struct shk_binding *binding)
{
  return create_either(method, binding, false);
}

static struct shk_status rattle_create(void **method, const struct shk_binding *binding)
{
  return create_either(method, binding, true);
}

static const struct shk_option options[] = {SHK_SOLVER_OPTIONS, {0}};

static const struct shk_integrator shake = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "symplectic-euler-shake",
             .partner = "symplectic-euler-rattle",
             .summary = "SHAKE over symplectic Euler: positions constrained, momenta carried "
                        "unprojected",
             .equations = "p⁻ = p0 - h (H_q(q0,p⁻) + G(q0)ᵀ lambda)\n"
                          "q1 = q0 + h H_p(q0,p⁻),  g(q1) = 0\n"
                          "p1 = p⁻",
             .citation = "Hairer, Lubich & Wanner, GNI, eq. VII.1.20; McLachlan, Modin, Verdier & "
                         "Wilkins, Found. Comput. Math. 14 (2014) 339",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .claims = {.order_q = 1,
                        .order_p = 1,
                        .order_lambda = 1,
                        .order_mu = SHK_NO_ORDER,
                        .order_lambda_mean = 0,
                        .order_lambda_sum = 1,
                        .order_lambda_state = 1,
                        .symplectic = SHK_NO,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_NO,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_NO,
                        .keeps_momenta = SHK_UNKNOWN,
                        .energy_bounded = SHK_YES}},
    .create = shake_create,
    .step = euler_step,
    .destroy = euler_destroy,
    .claims = shk_solver_claims,
    .constraint_work = euler_constraint_work};

static const struct shk_integrator rattle = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "symplectic-euler-rattle",
             .summary = "RATTLE over symplectic Euler: first order, positions and momenta "
                        "constrained",
             .equations = "p⁻ = p0 - h (H_q(q0,p⁻) + G(q0)ᵀ lambda)\n"
                          "q1 = q0 + h H_p(q0,p⁻),  g(q1) = 0\n"
                          "p1 = p⁻ - h G(q1)ᵀ mu,  G(q1) H_p(q1,p1) = 0",
             .citation = "Hairer, Lubich & Wanner, GNI, eq. VII.1.20-21",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .claims = {.order_q = 1,
                        .order_p = 1,
                        .order_lambda = 0,
                        .order_mu = 0,
                        .order_lambda_mean = 0,
                        .order_lambda_sum = 1,
                        .order_lambda_state = 1,
                        .symplectic = SHK_YES,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_NO,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES,
                        .energy_bounded = SHK_YES}},
    .create = rattle_create,
    .step = euler_step,
    .destroy = euler_destroy,
    .claims = shk_solver_claims,
    .constraint_work = euler_constraint_work};

SHK_PROVIDE(symplectic_euler, .integrators = SHK_INTEGRATORS(&shake, &rattle));
