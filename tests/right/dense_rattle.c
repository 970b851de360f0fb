/*
 * RATTLE with solvers of its own: Newton's method with a dense LU, or the nonlinear Gauss-Seidel
 * sweep of SHAKE's inventors, one constraint after the other, over-relaxed by what is best for a
 * straight chain and carried on to round-off.
 *
 *     p½ = p0 - h/2 (V_q(q0) + G(q0)ᵀ lambda),   q1 = q0 + h M⁻¹ p½,   g(q1) = 0
 *     p1 = p½ - h/2 (V_q(q1) + G(q1)ᵀ mu),       G(q1) M⁻¹ p1 = 0
 *
 * With remember=1 the state carries V_q(q0) from the end of the step before.
 *
 * Constraint force -Gᵀ lambda. Sources: Andersen, J. Comput. Phys. 52 (1983) 24; Ryckaert, Ciccotti &
 * Berendsen, J. Comput. Phys. 23 (1977) 327; Barth, Kuczera, Leimkuhler & Skeel, J. Comput. Chem. 16
 * (1995) 1192. Separable systems with independent constraints only.
 */
#include "dense.h"

enum solver { NEWTON, GAUSS_SEIDEL };

struct rattle {
  struct shk_evaluator *evaluator;
  int n, m;
  int solver;
  long remember;
  struct dense dense;
  real *G0, *G1, *gradient, *dp_free, *dp, *dq, *g;
};

/* q1 and g(q1) for the present lambda. */
static struct shk_status positions(struct rattle *rattle, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  memcpy(rattle->dp, rattle->dp_free, (size_t)rattle->n * sizeof(real));
  shk_jacobian_transposed_add(rattle->evaluator, rattle->dp, rattle->G0, -h / 2, to->lambda);
  for (int i = 0; i < rattle->n; i++)
    rattle->dq[i] =
        h * (from->p[i] + (rattle->dp[i] + from->p_carry[i])) / rattle->evaluator->system->mass[i];
  dense_move_q(to, from, rattle->dq);
  return shk_constraint(rattle->evaluator, rattle->g, from->t + h, to->q);
}

/* The largest move of q that a change of lambda makes, relative to q. */
static real relative(struct rattle *rattle, const struct shk_state *from, const real *change,
                     real h)
{
  real *const move = rattle->dense.row;
  memset(move, 0, (size_t)rattle->n * sizeof(real));
  shk_jacobian_transposed_add(rattle->evaluator, move, rattle->G0, h * h / 2, change);
  for (int i = 0; i < rattle->n; i++)
    move[i] /= rattle->evaluator->system->mass[i];
  return real_max_norm(move, rattle->n) /
         real_max(real_max_norm(from->q, rattle->n), REAL_SMALLEST);
}

static struct shk_status newton(struct rattle *rattle, struct shk_state *to,
                                const struct shk_state *from, real h, real *size)
{
  SHK_TRY(shk_jacobian(rattle->evaluator, rattle->G1, from->t + h, to->q));
  SHK_TRY(dense_matrix(&rattle->dense, rattle->evaluator, rattle->G1, rattle->G0));
  dense_solve(&rattle->dense, rattle->g, rattle->m);
  for (int i = 0; i < rattle->m; i++) {
    rattle->g[i] *= 2 / (h * h);
    to->lambda[i] += rattle->g[i];
  }
  *size = relative(rattle, from, rattle->g, h);
  return positions(rattle, to, from, h);
}

static struct shk_status sweep(struct rattle *rattle, struct shk_state *to,
                               const struct shk_state *from, real h, real *size)
{
  const real relaxation = 2 / (1 + real_sin(REAL_PI / (rattle->m + 1)));
  *size = 0;
  for (int j = 0; j < rattle->m; j++) {
    SHK_TRY(shk_jacobian(rattle->evaluator, rattle->G1, from->t + h, to->q));
    dense_column(&rattle->dense, rattle->evaluator, rattle->G1, rattle->G0, j);
    const real change = relaxation * rattle->g[j] / rattle->dense.column[j] * 2 / (h * h);
    to->lambda[j] += change;
    memset(rattle->g, 0, (size_t)rattle->m * sizeof(real));
    rattle->g[j] = change;
    *size = real_max(*size, relative(rattle, from, rattle->g, h));
    SHK_TRY(positions(rattle, to, from, h));
  }
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct rattle *rattle = method;
  struct shk_evaluator *e = rattle->evaluator;
  if (rattle->remember)
    memcpy(rattle->gradient, from->memory, (size_t)rattle->n * sizeof(real));
  else
    SHK_TRY(shk_gradient(e, rattle->gradient, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(e, rattle->G0, from->t, from->q));
  for (int i = 0; i < rattle->n; i++)
    rattle->dp_free[i] = -h / 2 * rattle->gradient[i];
  memset(to->lambda, 0, (size_t)rattle->m * sizeof(real));
  SHK_TRY(positions(rattle, to, from, h));
  dense_begin(&rattle->dense, e);
  while (!rattle->dense.iteration.converged) {
    real size;
    e->counters.iterations++;
    SHK_TRY(rattle->solver == NEWTON ? newton(rattle, to, from, h, &size)
                                     : sweep(rattle, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&rattle->dense.iteration, size));
  }
  SHK_TRY(shk_gradient(e, rattle->gradient, from->t + h, to->q, from->p));
  if (rattle->remember)
    memcpy(to->memory, rattle->gradient, (size_t)rattle->n * sizeof(real));
  SHK_TRY(shk_jacobian(e, rattle->G1, from->t + h, to->q));
  for (int i = 0; i < rattle->n; i++)
    rattle->dp[i] -= h / 2 * rattle->gradient[i];
  return dense_momenta(&rattle->dense, e, to, from, rattle->dp, to->mu, rattle->G1, h / 2);
}

static struct shk_status begin(void *method, struct shk_state *start, real h)
{
  struct rattle *rattle = method;
  (void)h;
  return shk_gradient(rattle->evaluator, start->memory, start->t, start->q, start->p);
}

static const struct shk_choice solvers[] = {
    {"newton", "Newton's method with a dense LU", NULL},
    {"gauss-seidel", "one constraint after the other, down to round-off", NULL},
    {0}};

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(rattle, solver, "solver", solvers, "newton", "how lambda is found"),
             SHK_INTEGER(rattle, remember, "remember", "0",
                         "whether the state carries the gradient", .minimum = "0", .maximum = "1"));

/* A state's memory is this vector, or nothing. */
struct rattle_memory {
  real *gradient;
};
static const struct shk_array memory[] =
    SHK_LIST(SHK_ARRAY(rattle_memory, gradient, .n = 1, .times = SHK_AT(rattle, remember)));

static const struct shk_array arrays[] = SHK_LIST(
    DENSE_ARRAYS(rattle), SHK_ARRAY(rattle, G0, .entries = 1), SHK_ARRAY(rattle, G1, .entries = 1),
    SHK_ARRAY(rattle, gradient, .n = 1), SHK_ARRAY(rattle, dp_free, .n = 1),
    SHK_ARRAY(rattle, dp, .n = 1), SHK_ARRAY(rattle, dq, .n = 1), SHK_ARRAY(rattle, g, .m = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES));

static const struct shk_integrator dense_rattle = {
    SHK_INTEGRATOR(rattle, arrays, NULL, step, NULL),
    .info = {.name = "dense-rattle",
             .summary = "RATTLE with dense linear algebra or sweeps of its own",
             .options = options,
             .claims = claims},
    .memory = memory, .begin = begin};

SHK_PROVIDE(dense_rattle, .integrators = SHK_INTEGRATORS(&dense_rattle));
