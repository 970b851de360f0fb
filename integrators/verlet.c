/*
 * SHAKE and RATTLE: over the Störmer-Verlet flow in the classical form below; over other flows, and
 * for constraints that depend on momenta, in the geometric form of geometric.c.
 *
 * One step from (q0,p0), for a general H (Jay 1994; Hairer, Lubich & Wanner, GNI, eq. VII.1.26):
 *
 *     p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)
 *     q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),          g(q1) = 0
 *     p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu),            G(q1) H_p(q1,p1) = 0   (RATTLE)
 *
 * SHAKE leaves the last kick without mu and carries that momentum on (McLachlan, Modin, Verdier &
 * Wilkins 2014: S_h = phi_h ∘ Gamma, R_h = Pi ∘ S_h, Pi∘S_hᵏ = R_hᵏ): its lambda then tends to
 * twice the multiplier of the problem, half of it being last step's missing mu. For separable H the
 * first two lines are q1 = q0 + h M⁻¹ p½ (Ryckaert, Ciccotti & Berendsen 1977; Andersen 1983).
 * Forces of the constraint are -Gᵀ lambda; lambda and mu are in units of force.
 *
 * Generalized forces act where H_q does: H_q - Q(q0,p½,t0) in the first half kick, which is
 * implicit then, H_q - Q(q1,p½,t1) in the second; that leaves the method symmetric and of order 2.
 * Constraints g(q,t) are taken at the time of their position, g_t added to the hidden one. Sums of
 * q and p are compensated.
 */
#include "integrators/kit/geometric.h"
#include "mechanics/algebra/vectors.h"

#include <shakedown/impulse.h>
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct verlet {
  struct shk_geometric *geometric; /* then nothing else is used */
  struct shk_evaluator *evaluator;
  bool rattle;
  int n, m;
  struct shk_multiplier_solver *solver;
  struct shk_newton *position; /* the implicit stages of general systems */
  real *G0, *G1;               /* NULL: the solver forms them itself */
  real *gradient, *dp, *dp_free, *p_half;
  struct implicit *implicit;
  void *block;
  real *work_sum; /* NULL: nobody asks for the constraint work */
  bool forces;    /* false: a separable system without a potential */
  /* Separable systems: the last step's end, where `gradient` and G1 were evaluated. A step that
   * begins there, to the bit, does not evaluate them again. */
  bool held;
  real held_t, *held_q;
  real *jacobians; /* G0 and G1, where only the constraint work needs them */
};

/* What the residuals of the implicit stages need; general systems only. */
struct implicit {
  struct verlet *method;
  const struct shk_state *from;
  real h;
  real *x, *weights;         /* (p½, q1, lambda h/2) */
  real *hessian0, *hessian1; /* 2n x 2n at (q0,p½) and (q1,p½) */
  real *velocity0, *velocity1;
};

static real block_size(const real *x, int n)
{
  const real size = real_max_norm(x, n);
  return size > 0 ? size : 1;
}

/* F and its Jacobian in (p½, q1, lambda h/2):
 *     F1 = p½ - p0 + h/2 H_q(q0,p½) + G0ᵀ l,  F2 = q1 - q0 - h/2 (H_p(q0,p½) + H_p(q1,p½)),
 *     F3 = g(q1) */
static struct shk_status position_stage(void *user, real *F, real *J, const real *x)
{
  struct implicit *s = user;
  struct verlet *w = s->method;
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, size = 2 * n + m, stride = 2 * n;
  const real half = s->h / 2, t0 = s->from->t, t1 = s->from->t + s->h;
  const real *p_half = x, *q1 = x + n, *l = x + 2 * n;
  SHK_TRY(shk_gradient(e, w->gradient, t0, s->from->q, p_half));
  SHK_TRY(shk_velocity(e, s->velocity0, t0, s->from->q, p_half));
  SHK_TRY(shk_velocity(e, s->velocity1, t1, q1, p_half));
  SHK_TRY(shk_hessian(e, s->hessian0, t0, s->from->q, p_half));
  shk_momentum_weights(s->weights, n, s->weights[n], block_size(s->from->p, n), s->h, s->hessian0);
  SHK_TRY(shk_hessian(e, s->hessian1, t1, q1, p_half));
  SHK_TRY(shk_constraint(e, F + 2 * n, t1, q1));
  SHK_TRY(shk_jacobian(e, w->G1, t1, q1));
  for (int i = 0; i < n; i++) {
    F[i] = (p_half[i] - s->from->p[i]) - s->from->p_carry[i] + half * w->gradient[i];
    F[n + i] =
        (q1[i] - s->from->q[i]) - s->from->q_carry[i] - half * (s->velocity0[i] + s->velocity1[i]);
  }
  shk_jacobian_transposed_add(e, F, w->G0, 1, l);
  memset(J, 0, (size_t)size * (size_t)size * sizeof *J);
  for (int i = 0; i < n; i++) {
    real *row = J + (size_t)i * size, *row2 = J + (size_t)(n + i) * size;
    row[i] = 1;
    row2[n + i] = 1;
    for (int j = 0; j < n; j++) {
      const size_t qp = (size_t)i * stride + n + j, pq = (size_t)(n + i) * stride + j, pp = pq + n;
      row[j] += half * s->hessian0[qp];
      row2[j] -= half * (s->hessian0[pp] + s->hessian1[pp]);
      row2[n + j] -= half * s->hessian1[pq];
    }
  }
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      J[(size_t)e->columns[k] * size + 2 * n + i] += w->G0[k];
      J[(size_t)(2 * n + i) * size + n + e->columns[k]] += w->G1[k];
    }
  return shk_ok();
}

/* The end of a step, all of its kicks but mu's in dp and, for RATTLE, G(q1) in G1. */
static struct shk_status finish(struct verlet *w, struct shk_state *to,
                                const struct shk_state *from, real half, real t1)
{
  if (w->rattle) {
    return shk_solve_hidden(w->solver, &(struct shk_hidden_solve){.t1 = t1,
                                                                  .kick = half,
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

static struct shk_status general_step(struct verlet *w, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  struct implicit *s = w->implicit;
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m;
  const real half = h / 2, t1 = from->t + h;
  s->from = from;
  s->h = h;
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  memcpy(s->x, from->p, (size_t)n * sizeof(real));
  memcpy(s->x + n, from->q, (size_t)n * sizeof(real));
  for (int i = 0; i < m; i++)
    s->x[2 * n + i] = half * from->lambda[i];
  for (int i = 0; i < n; i++) {
    s->weights[i] = block_size(from->p, n);
    s->weights[n + i] = block_size(from->q, n);
  }
  SHK_TRY(shk_newton_find_range(w->position, w->G0));
  SHK_TRY(shk_newton_solve(w->position, e, s->x, 2 * n, s->weights, position_stage, s));

  /* The increments at the solution, summed with compensation. */
  memcpy(w->p_half, s->x, (size_t)n * sizeof(real));
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, w->p_half));
  SHK_TRY(shk_velocity(e, s->velocity0, from->t, from->q, w->p_half));
  SHK_TRY(shk_velocity(e, s->velocity1, t1, s->x + n, w->p_half));
  for (int i = 0; i < n; i++) {
    w->dp[i] = -half * w->gradient[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], half * (s->velocity0[i] + s->velocity1[i]));
  }
  shk_jacobian_transposed_add(e, w->dp, w->G0, -1, s->x + 2 * n);
  for (int i = 0; i < m; i++)
    to->lambda[i] = s->x[2 * n + i] / half;
  SHK_TRY(shk_gradient(e, w->gradient, t1, to->q, w->p_half));
  for (int i = 0; i < n; i++)
    w->dp[i] -= half * w->gradient[i];
  if (w->rattle)
    SHK_TRY(shk_jacobian(e, w->G1, t1, to->q));
  return finish(w, to, from, half, t1);
}

/* G0 and the gradient at the beginning of a step: G depends on t where constraints are rheonomic,
 * the potential unless the system says that it does not. */
static struct shk_status evaluate_start(struct verlet *w, const struct shk_state *from)
{
  struct shk_evaluator *e = w->evaluator;
  if (!w->forces && w->G0 == NULL)
    return shk_ok();
  const bool same_t = w->held_t == from->t;
  const bool same_q = w->held && memcmp(w->held_q, from->q, (size_t)w->n * sizeof(real)) == 0;
  w->held = false;
  if (w->forces && (!same_q || !(same_t || e->system->autonomous)))
    SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, from->p));
  if (w->G0 == NULL)
    return shk_ok();
  if (!same_q || !(same_t || (e->system->features & SHK_RHEONOMIC) == 0))
    return shk_jacobian(e, w->G0, from->t, from->q);
  real *const swap = w->G0;
  w->G0 = w->G1;
  w->G1 = swap;
  return shk_ok();
}

static struct shk_status separable_step(struct verlet *w, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const real half = h / 2, t1 = from->t + h;
  SHK_TRY(evaluate_start(w, from));
  if (w->forces)
    shk_vector_scaled(w->dp_free, -half, w->gradient, w->n);
  const real *const dp_free = w->forces ? w->dp_free : NULL;
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  SHK_TRY(shk_solve_position(w->solver, &(struct shk_position_solve){.t1 = t1,
                                                                     .kick = half,
                                                                     .drift = h,
                                                                     .q = from->q,
                                                                     .q_carry = from->q_carry,
                                                                     .p = from->p,
                                                                     .p_carry = from->p_carry,
                                                                     .dp_free = dp_free,
                                                                     .G_b = w->G0,
                                                                     .lambda = to->lambda,
                                                                     .dp = w->dp,
                                                                     .q1 = to->q,
                                                                     .q1_carry = to->q_carry,
                                                                     .G1 = w->G1}));
  if (w->forces) {
    SHK_TRY(shk_gradient(e, w->gradient, t1, to->q, from->p)); /* which p is alike to it */
    shk_vector_add(w->dp, -half, w->gradient, w->n);
  }
  w->held = w->forces || w->G0 != NULL;
  w->held_t = t1;
  if (w->held)
    memcpy(w->held_q, to->q, (size_t)w->n * sizeof(real));
  return finish(w, to, from, half, t1);
}

/* The kicks of lambda before the flow and of mu after it. */
static real work_of(struct verlet *w, const struct shk_state *to, const struct shk_state *from,
                    real half)
{
  const real first = shk_kick_work(w->evaluator, w->dp_free, half, w->G0, to->lambda, from->t,
                                   from->q, from->p, SHK_BEFORE_KICK);
  return first + (w->rattle ? shk_kick_work(w->evaluator, w->dp_free, half, w->G1, to->mu,
                                            from->t + 2 * half, to->q, to->p, SHK_AFTER_KICK)
                            : 0);
}

static struct shk_status verlet_step(void *method, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  struct verlet *w = method;
  if (w->geometric != NULL)
    return shk_geometric_step(w->geometric, to, from, h);
  SHK_TRY(w->implicit != NULL ? general_step(w, to, from, h) : separable_step(w, to, from, h));
  if (w->work_sum != NULL)
    *w->work_sum += work_of(w, to, from, h / 2);
  return shk_ok();
}

static bool verlet_constraint_work(void *method, real *sum)
{
  struct verlet *w = method;
  if (w->geometric != NULL) {
    shk_geometric_constraint_work(w->geometric, sum);
    return true;
  }
  if (sum != NULL && w->G0 == NULL) {
    const size_t entries = (size_t)w->evaluator->row_start[w->m];
    w->jacobians = malloc((2 * entries + 1) * sizeof(real));
    if (w->jacobians == NULL)
      return false;
    w->G0 = w->jacobians;
    w->G1 = w->G0 + entries;
    w->held = false; /* G1 is not there */
  }
  w->work_sum = sum;
  return true;
}

static void verlet_destroy(void *method)
{
  struct verlet *w = method;
  if (w == NULL)
    return;
  shk_geometric_destroy(w->geometric);
  shk_multiplier_destroy(w->solver);
  shk_newton_destroy(w->position);
  free(w->block);
  free(w->jacobians);
  free(w->implicit);
  free(w);
}

static struct shk_status verlet_create(struct verlet **method, const struct shk_binding *binding,
                                       bool rattle)
{
  const struct shk_status none = shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const size_t entries = (size_t)e->row_start[m];
  const bool general = shk_is_general(e->system);
  struct verlet *w = calloc(1, sizeof *w);
  *method = w;
  if (w == NULL)
    return none;
  *w = (struct verlet){.evaluator = e,
                       .rattle = rattle,
                       .n = (int)n,
                       .m = (int)m,
                       .forces = general || e->system->gradient != NULL};
  if (shk_values_choice(binding->options, "flow") != SHK_FLOW_VERLET ||
      (e->system->features & SHK_MOMENTUM_CONSTRAINT) != 0)
    return shk_geometric_create(&w->geometric, binding, rattle);
  SHK_TRY(shk_multiplier_create(&w->solver, e, binding->options));
  const bool forms = shk_multiplier_forms_jacobians(w->solver);
  const size_t count = (forms ? 0 : 2 * entries) + 5 * n + (general ? 8 * n * n + 6 * n + m : 0);
  real *block = calloc(count + 1, sizeof *block);
  w->block = block;
  if (block == NULL)
    return none;
  w->gradient = block;
  w->dp = w->gradient + n;
  w->dp_free = w->dp + n;
  w->p_half = w->dp_free + n;
  w->held_q = w->p_half + n;
  if (!forms) {
    w->G0 = block + count - 2 * entries;
    w->G1 = w->G0 + entries;
  }
  if (!general)
    return shk_ok();
  struct implicit *s = calloc(1, sizeof *s);
  w->implicit = s;
  if (s == NULL)
    return none;
  s->method = w;
  s->hessian0 = w->held_q + n;
  s->hessian1 = s->hessian0 + 4 * n * n;
  s->velocity0 = s->hessian1 + 4 * n * n;
  s->velocity1 = s->velocity0 + n;
  s->weights = s->velocity1 + n;
  s->x = s->weights + 2 * n;
  SHK_TRY(shk_newton_create(&w->position, (int)(2 * n + m),
                            shk_values_integer(binding->options, "iterations")));
  return shk_newton_take_redundant(w->position, e, binding->options);
}

static struct shk_status create_either(void **method, const struct shk_binding *binding,
                                       bool rattle)
{
  struct verlet *w = NULL;
  const struct shk_status status = verlet_create(&w, binding, rattle);
  if (status.code != SHK_OK) {
    verlet_destroy(w);
    w = NULL;
  }
  *method = w;
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

static void shake_claims(struct shk_claims *claims, const struct shk_values *options)
{
  shk_geometric_claims(claims, (enum shk_flow_kind)shk_values_choice(options, "flow"), false);
  shk_solver_claims(claims, options);
}

static void rattle_claims(struct shk_claims *claims, const struct shk_values *options)
{
  shk_geometric_claims(claims, (enum shk_flow_kind)shk_values_choice(options, "flow"), true);
  shk_solver_claims(claims, options);
}

static const struct shk_option options[] = {{.name = "flow",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "verlet",
                                             .heads = shk_flow_heads,
                                             .meaning = "the underlying unconstrained flow"},
                                            SHK_SOLVER_OPTIONS,
                                            {0}};

static const struct shk_integrator shake = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "shake",
             .partner = "rattle",
             .summary = "SHAKE over Störmer-Verlet or another flow: positions constrained, momenta "
                        "carried unprojected",
             .equations =
                 "p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)\n"
                 "q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),  g(q1) = 0\n"
                 "p1 = p½ - h/2 H_q(q1,p½)\n"
                 "over any flow phi_h, for g(q,p) too: z1 = phi_h(exp(k Σ lambda_i X_{g_i}) "
                 "z0), g(z1) = 0, k = h/2 (symplectic Euler: h)\n"
                 "lambda tends to twice the problem's multiplier: half of it makes up for "
                 "the kick that the last step left out.",
             .citation =
                 "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, eq. (11)",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = {.order_q = 2,
                        .order_p = 1,
                        .order_lambda = 0,
                        .order_mu = SHK_NO_ORDER,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        /* 1, but 2 where the unprojected part of p
                         * leaves g_qq[v,v] alone, as on a sphere */
                        .order_lambda_state = SHK_NO_ORDER,
                        .symplectic = SHK_NO,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_NO,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_NO,
                        .keeps_momenta = SHK_UNKNOWN,
                        .energy_bounded = SHK_YES}},
    .create = shake_create,
    .step = verlet_step,
    .destroy = verlet_destroy,
    .claims = shake_claims,
    .constraint_work = verlet_constraint_work};

static const struct shk_integrator rattle = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "rattle",
             .summary = "RATTLE over Störmer-Verlet or another flow: positions and momenta "
                        "constrained",
             .equations = "p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)\n"
                          "q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),  g(q1) = 0\n"
                          "p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu),  G(q1) H_p(q1,p1) = 0\n"
                          "over any flow phi_h, for g(q,p) too: z⁻ = phi_h(exp(k Σ lambda_i "
                          "X_{g_i}) z0), g(z⁻) = 0; z1 = exp(k Σ mu_i X_{g_i}) z⁻, {g,H}(z1) = 0; "
                          "k = h/2 (symplectic Euler: h)",
             .citation =
                 "Andersen, J. Comput. Phys. 52 (1983) 24; Jay, SIAM J. Numer. Anal. 33 "
                 "(1996) 368; Hairer, Lubich & Wanner, GNI, eq. VII.1.26; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, def. 1.3-1.4",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
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
    .create = rattle_create,
    .step = verlet_step,
    .destroy = verlet_destroy,
    .claims = rattle_claims,
    .constraint_work = verlet_constraint_work};

SHK_PROVIDE(verlet, .integrators = SHK_INTEGRATORS(&shake, &rattle));
