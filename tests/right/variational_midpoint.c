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
static struct shk_status force(struct variational *w, const struct shk_state *from, real h)
{
  for (int i = 0; i < w->n; i++)
    w->middle[i] = from->q[i] + (w->d[i] / 2 + from->q_carry[i]);
  return shk_gradient(w->evaluator, w->force, from->t + h / 2, w->middle, from->p);
}

/* d from the force of the last one and lambda from g(q0 + d) = 0, to first order. */
static struct shk_status correct(struct variational *w, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = w->evaluator;
  const real *mass = e->system->mass;
  SHK_TRY(force(w, from, h));
  dense_move_q(to, from, w->d);
  SHK_TRY(shk_constraint(e, w->g, from->t + h, to->q));
  SHK_TRY(shk_jacobian(e, w->G1, from->t + h, to->q));
  for (int i = 0; i < w->n; i++)
    w->move[i] = h * (from->p[i] + (from->p_carry[i] - h / 2 * w->force[i])) / mass[i] - w->d[i];
  shk_jacobian_times(e, to->lambda, w->G1, w->move);
  for (int i = 0; i < w->m; i++)
    to->lambda[i] = (to->lambda[i] + w->g[i]) * 2 / (h * h);
  SHK_TRY(dense_matrix(&w->dense, e, w->G1, w->G0));
  dense_solve(&w->dense, to->lambda, w->m);
  memset(w->dp, 0, (size_t)w->n * sizeof(real));
  shk_jacobian_transposed_add(e, w->dp, w->G0, -h * h / 2, to->lambda);
  for (int i = 0; i < w->n; i++) {
    w->move[i] += w->dp[i] / mass[i];
    w->d[i] += w->move[i];
  }
  *size = real_max_norm(w->move, w->n) / real_max(real_max_norm(from->q, w->n), REAL_SMALLEST);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct variational *w = method;
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  for (int i = 0; i < w->n; i++)
    w->d[i] = h * from->p[i] / e->system->mass[i];
  dense_begin(&w->dense, e);
  while (!w->dense.iteration.converged) {
    real size;
    e->work.iterations++;
    SHK_TRY(correct(w, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&w->dense.iteration, size));
  }
  for (int i = 0; i < w->n; i++)
    w->dp[i] = -h / 2 * w->force[i];
  shk_jacobian_transposed_add(e, w->dp, w->G0, -h / 2, to->lambda);
  for (int i = 0; i < w->n; i++) {
    w->d[i] = h * (from->p[i] + (w->dp[i] + from->p_carry[i])) / e->system->mass[i];
    w->dp[i] -= h / 2 * w->force[i];
  }
  dense_move_q(to, from, w->d);
  SHK_TRY(shk_jacobian(e, w->G1, from->t + h, to->q));
  return dense_momenta(&w->dense, e, to, from, w->dp, to->mu, w->G1, h / 2);
}

static const struct shk_array arrays[] = {DENSE_ARRAYS(variational),
                                          SHK_ARRAY(variational, G0, .entries = 1),
                                          SHK_ARRAY(variational, G1, .entries = 1),
                                          SHK_ARRAY(variational, force, .n = 1),
                                          SHK_ARRAY(variational, middle, .n = 1),
                                          SHK_ARRAY(variational, d, .n = 1),
                                          SHK_ARRAY(variational, dp, .n = 1),
                                          SHK_ARRAY(variational, move, .n = 1),
                                          SHK_ARRAY(variational, g, .m = 1),
                                          {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_TWO_MULTIPLIERS,
                                           SHK_GEOMETRY(SHK_YES),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_COORDINATES(SHK_YES),
                                           {0}};

static const struct shk_integrator variational_midpoint = {
    .struct_size = sizeof variational_midpoint,
    .info = {.name = "variational-midpoint",
             .summary = "the variational integrator of the midpoint Lagrangian",
             .equations =
                 "p0 = M (q1-q0)/h + h/2 V_q(½ (q0+q1)) + h/2 G(q0)ᵀ lambda,  g(q1) = 0\n"
                 "p1 = M (q1-q0)/h - h/2 V_q(½ (q0+q1)) - h/2 G(q1)ᵀ mu,  G(q1) M⁻¹ p1 = 0",
             .citation = "Marsden & West, Acta Numerica 10 (2001) 357, §3.5.2; Leyendecker, "
                         "Marsden & Ortiz, ZAMM 88 (2008) 677",
             .claims = claims},
    SHK_METHOD(variational),
    .arrays = arrays,
    .step = step};

SHK_PROVIDE(variational_midpoint, .integrators = SHK_INTEGRATORS(&variational_midpoint));
