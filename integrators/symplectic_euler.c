/*
 * SHAKE and RATTLE over the symplectic Euler flow (Hairer, Lubich & Wanner, GNI, eq. VII.1.20-21).
 * The flow is explicit in q and p for separable H. For a general H, p⁻ is implicit. The constraint
 * force is -Gᵀ lambda, where lambda and mu have units of force. Step sizes can be negative.
 *
 * If there are generalized forces, H_q denotes H_q - Q(q0,p⁻,t0). If g depends on t, g and G are
 * evaluated at the time that corresponds to their positions. q and p are accumulated with
 * compensated summation. Constraints that depend on p are not supported.
 */

#define POSITIONS                                                                                  \
  "p⁻ = p0 - h (H_q(q0,p⁻) + G(q0)ᵀ lambda)                        (1)\n"                    \
  "q1 = q0 + h H_p(q0,p⁻),     g(q1) = 0                           (2)\n"

static const char rattle_equations[] =
    POSITIONS "p1 = p⁻ - h G(q1)ᵀ mu,      G(q1) H_p(q1,p1) + g_t = 0          (3)\n";

static const char shake_equations[] =
    POSITIONS "p1 = p⁻                                                         (3), mu = 0\n";

#include "integrators/kit/impulse.h"
#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

struct euler {
  struct shk_evaluator *evaluator;
  int n, m;
  bool rattle; /* false: SHAKE */
  struct shk_solving solving;
  struct shk_multiplier_solver *solver;
  real *G0, *G1, *gradient, *dp, *dp_free;
  /* The following members solve for the implicit p⁻ of general systems. */
  struct shk_newton *momentum;
  real *x; /* (p⁻, lambda h) */
  real *weights, *velocity, *q1, *hessian;
  const struct shk_state *from;
  real h;
  real *constraint_work; /* receives the constraint work; NULL if it is not measured */
};

/* Computes F, which consists of (1) and g(q1), and its Jacobian with respect to (p⁻, l = lambda
 * h). */
static struct shk_status momentum_stage(void *user, real *F, real *J, const real *x)
{
  struct euler *self = user;
  struct shk_evaluator *e = self->evaluator;
  const struct shk_state *from = self->from;
  const int n = self->n, stride = 2 * n;
  const real h = self->h;
  SHK_TRY(shk_gradient(e, self->gradient, from->t, from->q, x));
  SHK_TRY(shk_velocity(e, self->velocity, from->t, from->q, x));
  SHK_TRY(shk_hessian(e, self->hessian, from->t, from->q, x));
  shk_momentum_weights(self->weights, n, real_max_norm(from->q, n), real_max_norm(from->p, n), h,
                       self->hessian);
  for (int i = 0; i < n; i++)
    self->q1[i] = from->q[i] + (h * self->velocity[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, F + n, from->t + h, self->q1));
  SHK_TRY(shk_jacobian(e, self->G1, from->t + h, self->q1));
  for (int i = 0; i < n; i++)
    F[i] = (x[i] - from->p[i]) - from->p_carry[i] + h * self->gradient[i];
  shk_jacobian_transposed_add(e, F, self->G0, 1, x + n);
  const struct shk_stage_matrix matrix = shk_stage_matrix(J, n + self->m);
  const real *H_pp = self->hessian + (size_t)n * stride + n;
  shk_add_block(matrix, 0, 0, h, self->hessian + n, stride, n);
  shk_add_identity(matrix, 0, 0, n);
  shk_add_jacobian_transposed(matrix, 0, n, 1, e, self->G0);
  for (int i = 0; i < self->m; i++) /* adds h G1 H_pp */
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      for (int j = 0; j < n; j++)
        *shk_stage_row(matrix, n + i, j) +=
            h * self->G1[k] * H_pp[(size_t)e->columns[k] * stride + j];
  return shk_ok();
}

/* Takes the step for a general H, using Newton's method. */
static struct shk_status general_flow(struct euler *self, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n, m = self->m;
  self->from = from;
  self->h = h;
  shk_copy(self->x, from->p, n);
  for (int i = 0; i < m; i++)
    self->x[n + i] = h * from->lambda[i];
  SHK_TRY(shk_newton_find_range(self->momentum, self->G0));
  SHK_TRY(shk_newton_solve(self->momentum, e, self->x, n, self->weights, momentum_stage, self));
  /* Evaluates the increments at the solution, so that they can be accumulated with compensated
   * summation. */
  SHK_TRY(shk_gradient(e, self->gradient, from->t, from->q, self->x));
  SHK_TRY(shk_velocity(e, self->velocity, from->t, from->q, self->x));
  for (int i = 0; i < n; i++) {
    self->dp[i] = -h * self->gradient[i];
    self->velocity[i] *= h;
  }
  shk_jacobian_transposed_add(e, self->dp, self->G0, -1, self->x + n);
  for (int i = 0; i < m; i++)
    to->lambda[i] = self->x[n + i] / h;
  shk_move_q(to, from, self->velocity);
  return shk_ok();
}

/* Takes the step for separable H, where only lambda is implicit. Also stores G(q1). */
static struct shk_status separable_flow(struct euler *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  SHK_TRY(shk_gradient(self->evaluator, self->gradient, from->t, from->q, from->p));
  shk_vector_scaled(self->dp_free, -h, self->gradient, self->n);
  shk_copy(to->lambda, from->lambda, self->m); /* the initial guess */
  SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                    .t = from->t + h,
                                                    .from = from,
                                                    .to = to,
                                                    .along = self->G0,
                                                    .by = h,
                                                    .drift = h,
                                                    .dp_free = self->dp_free,
                                                    .dp = self->dp,
                                                    .multiplier = to->lambda}));
  return shk_jacobian(self->evaluator, self->G1, from->t + h, to->q);
}

/* Solves (1) and (2). Stores q1 and lambda in *to, and p⁻ - p0 in dp. */
static struct shk_status find_positions(struct euler *self, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  SHK_TRY(shk_jacobian(self->evaluator, self->G0, from->t, from->q));
  return self->momentum ? general_flow(self, to, from, h) : separable_flow(self, to, from, h);
}

/* Returns the work of the kicks of lambda and, in RATTLE, of mu. */
static real work_of(struct euler *self, const struct shk_state *to, const struct shk_state *from,
                    real h)
{
  struct shk_evaluator *e = self->evaluator;
  const real first = shk_kick_work(e, self->gradient, h, self->G0, to->lambda, from->t, from->q,
                                   from->p, SHK_BEFORE_KICK);
  return !self->rattle ? first
                       : first + shk_kick_work(e, self->gradient, h, self->G1, to->mu, from->t + h,
                                               to->q, to->p, SHK_AFTER_KICK);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct euler *self = method;
  SHK_TRY(find_positions(self, to, from, h));
  if (self->rattle && self->momentum)
    SHK_TRY(shk_jacobian(self->evaluator, self->G1, from->t + h, to->q));
  if (self->rattle) { /* solves (3) for mu and p1 */
    SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                      .t = from->t + h,
                                                      .from = from,
                                                      .to = to,
                                                      .along = self->G1,
                                                      .by = h,
                                                      .dp = self->dp,
                                                      .multiplier = to->mu}));
  } else {
    shk_move_p(to, from, self->dp);
    shk_fill(to->mu, 0, self->m);
  }
  if (self->constraint_work)
    *self->constraint_work += work_of(self, to, from, h);
  return shk_ok();
}

static const struct shk_integrator rattle;

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct euler *self = method;
  self->rattle = binding->integrator == &rattle;
  SHK_TRY(shk_bind_solver(&self->solver, binding));
  if (!shk_is_general(self->evaluator->system))
    return shk_ok();
  SHK_TRY(shk_bind_newton(&self->momentum, binding, self->n + self->m, self->solving.iterations));
  return shk_newton_take_redundant(self->momentum, self->evaluator, binding->options);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  shk_solving_claims(claims, &((const struct euler *)method)->solving);
}

static const struct shk_option options[] = SHK_LIST(SHK_SOLVING_OPTIONS(euler, solving));

#define GENERAL .only = SHK_GENERAL
static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(euler, (.entries = 1), G0, G1), SHK_ARRAYS(euler, (.n = 1), gradient, dp, dp_free),
    SHK_ARRAY(euler, x, .n = 1, .m = 1, GENERAL),
    SHK_ARRAYS(euler, (.n = 1, GENERAL), weights, velocity, q1),
    SHK_ARRAY(euler, hessian, .nn = 4, GENERAL));

static const struct shk_stated shake_claims[] =
    SHK_LIST(SHK_ORDERS(1), SHK_LOCAL_ORDERS(2, 1), SHK_CLAIM(ORDER_LAMBDA, 1),
             SHK_CLAIM(ORDER_LAMBDA_MEAN, 0), SHK_CLAIM(ORDER_LAMBDA_SUM, 1), SHK_POSITIONS_ONLY,
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_stated rattle_claims[] = SHK_LIST(
    SHK_ORDERS(1), SHK_LOCAL_ORDERS(2, 2), SHK_CLAIM(ORDER_LAMBDA, 0), SHK_CLAIM(ORDER_MU, 0),
    SHK_CLAIM(ORDER_LAMBDA_MEAN, 0), SHK_CLAIM(ORDER_LAMBDA_SUM, 1), SHK_CLAIM(SYMPLECTIC, SHK_YES),
    SHK_CLAIM(PRESYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CONSTRAINTS(SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
    SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator shake = {
    SHK_INTEGRATOR(euler, arrays, bind, step, claims_under),
    .constraint_work_at = SHK_AT(euler, constraint_work),
    .info = {.name = "symplectic-euler-shake",
             .family = "constrained and geometric",
             .partner = "symplectic-euler-rattle",
             .summary = "SHAKE over symplectic Euler: positions constrained, momenta carried "
                        "unprojected",
             .equations = shake_equations,
             .citation = "Hairer, Lubich & Wanner, GNI, eq. VII.1.20; McLachlan, Modin, Verdier & "
                         "Wilkins, Found. Comput. Math. 14 (2014) 339",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = shake_claims}};

static const struct shk_integrator rattle = {
    SHK_INTEGRATOR(euler, arrays, bind, step, claims_under),
    .constraint_work_at = SHK_AT(euler, constraint_work),
    .info = {.name = "symplectic-euler-rattle",
             .family = "constrained and geometric",
             .summary = "RATTLE over symplectic Euler: first order, positions and momenta "
                        "constrained",
             .equations = rattle_equations,
             .citation = "Hairer, Lubich & Wanner, GNI, eq. VII.1.20-21",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = rattle_claims}};

SHK_PROVIDE(symplectic_euler, .integrators = SHK_INTEGRATORS(&shake, &rattle));
