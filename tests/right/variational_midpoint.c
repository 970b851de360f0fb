/*
 * The variational integrator of the midpoint Lagrangian h L(½ (q0+q1), (q1-q0)/h) with constraints
 * at the nodes, in position-momentum form:
 *
 *     p0 = M (q1-q0)/h + h/2 V_q(½ (q0+q1)) + h/2 G(q0)ᵀ lambda,   g(q1) = 0
 *     p1 = M (q1-q0)/h - h/2 V_q(½ (q0+q1)) - h/2 G(q1)ᵀ mu,       G(q1) M⁻¹ p1 = 0
 *
 * Constraint force -Gᵀ lambda. Sources: Marsden & West, Acta Numerica 10 (2001) 357, §3.5.2;
 * Leyendecker, Marsden & Ortiz, ZAMM 88 (2008) 677. Separable systems with independent constraints
 * only.
 */
#include "dense.h"

struct variational {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G0, *G1, *force, *middle, *d, *dp, *move, *g;
};

/* force <- V_q at the middle of the present q1. */
static struct shk_status force(struct variational *variational, const struct shk_state *from,
                               real h)
{
  for (int i = 0; i < variational->n; i++)
    variational->middle[i] = from->q[i] + (variational->d[i] / 2 + from->q_carry[i]);
  return shk_gradient(variational->evaluator, variational->force, from->t + h / 2,
                      variational->middle, from->p);
}

/* d from the force of the last one and lambda from g(q0 + d) = 0, to first order. */
static struct shk_status correct(struct variational *variational, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = variational->evaluator;
  const real *mass = e->system->mass;
  SHK_TRY(force(variational, from, h));
  dense_move_q(to, from, variational->d);
  SHK_TRY(shk_constraint(e, variational->g, from->t + h, to->q));
  SHK_TRY(shk_jacobian(e, variational->G1, from->t + h, to->q));
  for (int i = 0; i < variational->n; i++)
    variational->move[i] =
        h * (from->p[i] + (from->p_carry[i] - h / 2 * variational->force[i])) / mass[i] -
        variational->d[i];
  shk_jacobian_times(e, to->lambda, variational->G1, variational->move);
  for (int i = 0; i < variational->m; i++)
    to->lambda[i] = (to->lambda[i] + variational->g[i]) * 2 / (h * h);
  SHK_TRY(dense_matrix(&variational->dense, e, variational->G1, variational->G0));
  dense_solve(&variational->dense, to->lambda, variational->m);
  memset(variational->dp, 0, (size_t)variational->n * sizeof(real));
  shk_jacobian_transposed_add(e, variational->dp, variational->G0, -h * h / 2, to->lambda);
  for (int i = 0; i < variational->n; i++) {
    variational->move[i] += variational->dp[i] / mass[i];
    variational->d[i] += variational->move[i];
  }
  *size = real_max_norm(variational->move, variational->n) /
          real_max(real_max_norm(from->q, variational->n), REAL_SMALLEST);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct variational *variational = method;
  struct shk_evaluator *e = variational->evaluator;
  SHK_TRY(shk_jacobian(e, variational->G0, from->t, from->q));
  for (int i = 0; i < variational->n; i++)
    variational->d[i] = h * from->p[i] / e->system->mass[i];
  dense_begin(&variational->dense, e);
  while (!variational->dense.iteration.converged) {
    real size;
    e->counters.iterations++;
    SHK_TRY(correct(variational, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&variational->dense.iteration, size));
  }
  for (int i = 0; i < variational->n; i++)
    variational->dp[i] = -h / 2 * variational->force[i];
  shk_jacobian_transposed_add(e, variational->dp, variational->G0, -h / 2, to->lambda);
  for (int i = 0; i < variational->n; i++) {
    variational->d[i] =
        h * (from->p[i] + (variational->dp[i] + from->p_carry[i])) / e->system->mass[i];
    variational->dp[i] -= h / 2 * variational->force[i];
  }
  dense_move_q(to, from, variational->d);
  SHK_TRY(shk_jacobian(e, variational->G1, from->t + h, to->q));
  return dense_momenta(&variational->dense, e, to, from, variational->dp, to->mu, variational->G1,
                       h / 2);
}

static const struct shk_array arrays[] =
    SHK_LIST(DENSE_ARRAYS(variational), SHK_ARRAY(variational, G0, .entries = 1),
             SHK_ARRAY(variational, G1, .entries = 1), SHK_ARRAY(variational, force, .n = 1),
             SHK_ARRAY(variational, middle, .n = 1), SHK_ARRAY(variational, d, .n = 1),
             SHK_ARRAY(variational, dp, .n = 1), SHK_ARRAY(variational, move, .n = 1),
             SHK_ARRAY(variational, g, .m = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES));

static const struct shk_integrator variational_midpoint = {
    SHK_INTEGRATOR(variational, arrays, NULL, step, NULL),
    .info = {.name = "variational-midpoint",
             .summary = "the variational integrator of the midpoint Lagrangian",
             .claims = claims}};

SHK_PROVIDE(variational_midpoint, .integrators = SHK_INTEGRATORS(&variational_midpoint));
