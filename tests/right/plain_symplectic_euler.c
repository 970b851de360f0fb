/*
 * Symplectic Euler with constraints, kicked before it moves:
 *
 *     p½ = p0 - h (V_q(q0) + G(q0)ᵀ lambda),   q1 = q0 + h M⁻¹ p½,   g(q1) = 0
 *     p1 = p½ - h G(q1)ᵀ mu,                   G(q1) M⁻¹ p1 = 0
 *
 * Of order one and symplectic, but not symmetric. The kick at t_n is divided between lambda_n and
 * mu_{n-1} in a ratio that does not converge, so that their sum has an order and neither has one.
 * Constraint force -Gᵀ lambda. Source: Hairer, Lubich & Wanner, GNI, VII.1.3. Separable systems with
 * independent constraints only.
 */
#include "dense.h"

struct euler {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G0, *G1, *gradient, *dp, *dq, *g;
};

/* q1 and g(q1) for the present lambda; dp is the whole kick. */
static struct shk_status positions(struct euler *euler, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  const real *mass = euler->evaluator->system->mass;
  for (int i = 0; i < euler->n; i++)
    euler->dp[i] = -h * euler->gradient[i];
  shk_jacobian_transposed_add(euler->evaluator, euler->dp, euler->G0, -h, to->lambda);
  for (int i = 0; i < euler->n; i++)
    euler->dq[i] = h * (from->p[i] + (euler->dp[i] + from->p_carry[i])) / mass[i];
  dense_move_q(to, from, euler->dq);
  return shk_constraint(euler->evaluator, euler->g, from->t + h, to->q);
}

static struct shk_status correct(struct euler *euler, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = euler->evaluator;
  real *const move = euler->dense.row;
  SHK_TRY(shk_jacobian(e, euler->G1, from->t + h, to->q));
  SHK_TRY(dense_matrix(&euler->dense, e, euler->G1, euler->G0));
  dense_solve(&euler->dense, euler->g, euler->m);
  memset(move, 0, (size_t)euler->n * sizeof(real));
  shk_jacobian_transposed_add(e, move, euler->G0, 1, euler->g);
  for (int i = 0; i < euler->n; i++)
    move[i] /= e->system->mass[i];
  for (int j = 0; j < euler->m; j++)
    to->lambda[j] += euler->g[j] / (h * h);
  *size = real_max_norm(move, euler->n) / real_max(real_max_norm(from->q, euler->n), REAL_SMALLEST);
  return positions(euler, to, from, h);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct euler *euler = method;
  struct shk_evaluator *e = euler->evaluator;
  SHK_TRY(shk_gradient(e, euler->gradient, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(e, euler->G0, from->t, from->q));
  memset(to->lambda, 0, (size_t)euler->m * sizeof(real));
  SHK_TRY(positions(euler, to, from, h));
  dense_begin(&euler->dense, e);
  while (!euler->dense.iteration.converged) {
    real size;
    e->counters.iterations++;
    SHK_TRY(correct(euler, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&euler->dense.iteration, size));
  }
  SHK_TRY(shk_jacobian(e, euler->G1, from->t + h, to->q));
  return dense_momenta(&euler->dense, e, to, from, euler->dp, to->mu, euler->G1, h);
}

static const struct shk_array arrays[] = SHK_LIST(
    DENSE_ARRAYS(euler), SHK_ARRAY(euler, G0, .entries = 1), SHK_ARRAY(euler, G1, .entries = 1),
    SHK_ARRAY(euler, gradient, .n = 1), SHK_ARRAY(euler, dp, .n = 1), SHK_ARRAY(euler, dq, .n = 1),
    SHK_ARRAY(euler, g, .m = 1));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(1), SHK_CLAIM(ORDER_LAMBDA, 0), SHK_CLAIM(ORDER_MU, 0),
    SHK_CLAIM(ORDER_LAMBDA_MEAN, 0), SHK_CLAIM(ORDER_LAMBDA_SUM, 1), SHK_CLAIM(SYMPLECTIC, SHK_YES),
    SHK_CLAIM(PRESYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES), SHK_CONSTRAINTS(SHK_YES),
    SHK_COORDINATES(SHK_YES));

static const struct shk_integrator plain_symplectic_euler = {
    SHK_INTEGRATOR(euler, arrays, NULL, step, NULL),
    .info = {.name = "plain-symplectic-euler",
             .summary = "symplectic Euler with constraints on positions and velocities",
             .claims = claims}};

SHK_PROVIDE(plain_symplectic_euler, .integrators = SHK_INTEGRATORS(&plain_symplectic_euler));
