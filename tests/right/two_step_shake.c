/*
 * SHAKE as its inventors wrote it, a recursion of positions in its summed form:
 *
 *     q_{n+1} = q_n + d_{n+1},   d_{n+1} = d_n - h² M⁻¹ (V_q(q_n) + G(q_n)ᵀ lambda_n),
 *     g(q_{n+1}) = 0
 *
 * The state carries d_n as p_n = M d_n/h - h/2 V_q(q_n), of which the start is
 * d_0 = h M⁻¹ (p_0 + h/2 V_q(q_0)). With the whole step in front of lambda, lambda_n is that of the
 * motion, but for the first step; p_n is off the hidden constraint by O(h) and never returned to it.
 * Constraint force -Gᵀ lambda. Source: Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977)
 * 327. Separable systems with independent constraints only.
 */
#include "dense.h"

struct two_step {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G0, *G1, *force0, *force1, *d, *dp, *move, *g;
};

/* dp <- h/2 V_q(q0) - h (V_q(q0) + G0ᵀ lambda), the change of M d/h; q1 and g(q1). */
static struct shk_status positions(struct two_step *two_step, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  for (int i = 0; i < two_step->n; i++)
    two_step->dp[i] = h / 2 * two_step->force0[i] - h * two_step->force0[i];
  shk_jacobian_transposed_add(two_step->evaluator, two_step->dp, two_step->G0, -h, to->lambda);
  for (int i = 0; i < two_step->n; i++)
    two_step->d[i] = h * (from->p[i] + (two_step->dp[i] + from->p_carry[i])) /
                     two_step->evaluator->system->mass[i];
  dense_move_q(to, from, two_step->d);
  return shk_constraint(two_step->evaluator, two_step->g, from->t + h, to->q);
}

static struct shk_status correct(struct two_step *two_step, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  SHK_TRY(shk_jacobian(two_step->evaluator, two_step->G1, from->t + h, to->q));
  SHK_TRY(dense_matrix(&two_step->dense, two_step->evaluator, two_step->G1, two_step->G0));
  dense_solve(&two_step->dense, two_step->g, two_step->m);
  memset(two_step->move, 0, (size_t)two_step->n * sizeof(real));
  shk_jacobian_transposed_add(two_step->evaluator, two_step->move, two_step->G0, 1, two_step->g);
  for (int i = 0; i < two_step->n; i++)
    two_step->move[i] /= two_step->evaluator->system->mass[i];
  for (int i = 0; i < two_step->m; i++)
    to->lambda[i] += two_step->g[i] / (h * h);
  *size = real_max_norm(two_step->move, two_step->n) /
          real_max(real_max_norm(from->q, two_step->n), REAL_SMALLEST);
  return positions(two_step, to, from, h);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct two_step *two_step = method;
  struct shk_evaluator *e = two_step->evaluator;
  SHK_TRY(shk_gradient(e, two_step->force0, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(e, two_step->G0, from->t, from->q));
  memset(to->lambda, 0, (size_t)two_step->m * sizeof(real));
  memset(to->mu, 0, (size_t)two_step->m * sizeof(real));
  SHK_TRY(positions(two_step, to, from, h));
  dense_begin(&two_step->dense, e);
  while (!two_step->dense.iteration.converged) {
    real size;
    e->counters.iterations++;
    SHK_TRY(correct(two_step, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&two_step->dense.iteration, size));
  }
  SHK_TRY(shk_gradient(e, two_step->force1, from->t + h, to->q, from->p));
  for (int i = 0; i < two_step->n; i++)
    two_step->dp[i] -= h / 2 * two_step->force1[i];
  dense_move_p(to, from, two_step->dp);
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(DENSE_ARRAYS(two_step), SHK_ARRAY(two_step, G0, .entries = 1),
             SHK_ARRAY(two_step, G1, .entries = 1), SHK_ARRAY(two_step, force0, .n = 1),
             SHK_ARRAY(two_step, force1, .n = 1), SHK_ARRAY(two_step, d, .n = 1),
             SHK_ARRAY(two_step, dp, .n = 1), SHK_ARRAY(two_step, move, .n = 1),
             SHK_ARRAY(two_step, g, .m = 1));

/* Momenta of point symmetries do not change along the fibres, on which p is off. */
static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 2), SHK_CLAIM(ORDER_P, 1), SHK_CLAIM(ORDER_LAMBDA, 2),
             SHK_CLAIM(ORDER_LAMBDA_MEAN, 0), SHK_CLAIM(ORDER_LAMBDA_SUM, 2),
             SHK_CLAIM(SYMPLECTIC, SHK_NO), SHK_CLAIM(PRESYMPLECTIC, SHK_YES),
             SHK_CLAIM(SYMMETRIC, SHK_NO), SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
             SHK_CLAIM(KEEPS_HIDDEN, SHK_NO), SHK_CLAIM(KEEPS_MOMENTA, SHK_YES),
             SHK_CLAIM(ENERGY_BOUNDED, SHK_YES), SHK_COORDINATES(SHK_YES));

static const struct shk_integrator two_step_shake = {
    SHK_INTEGRATOR(two_step, arrays, NULL, step, NULL),
    .info = {.name = "two-step-shake",
             .partner = "rattle",
             .summary = "SHAKE as a recursion of positions",
             .claims = claims}};

SHK_PROVIDE(two_step_shake, .integrators = SHK_INTEGRATORS(&two_step_shake));
