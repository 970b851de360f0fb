/*
 * Newton's method for separable systems with one constraint, whose matrix K = G(q1) M⁻¹ G_bᵀ is a
 * number. It is the general solve without the overhead for several constraints: a step of such a
 * system costs little more than its evaluations.
 *
 * If residuals have more digits than corrections in `rough`, an evaluation costs more than a
 * correction. The correction then includes the second derivative c of g along M⁻¹ G_bᵀ,
 * g - K y + c y²/2 = 0, which is exact for quadratic constraints, such as distances and spheres.
 */
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/rough.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/special.h"
#include "mechanics/system/callback.h"

#include <math.h>

struct single {
  struct shk_residuals at;
  real *row, *along; /* n: G_bᵀ, M⁻¹ G_bᵀ */
};

/* `K`: the matrix, which is zero or not finite. */
static struct shk_status singular(real K)
{
  return real_isfinite(K)
             ? shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0)
             : shk_failure(SHK_NOT_FINITE, "the gradient of the constraint is not finite", 0, 0);
}

/* Stores the root of g - K y + c y²/2 next to g/K in *y. */
static struct shk_status correct(struct single *s, real *y, const struct shk_position_solve *task,
                                 real g, real K)
{
  struct shk_evaluator *e = s->at.evaluator;
  real c;
  *y = g / K;
  if (!e->system->curvature || (e->system->features & SHK_RHEONOMIC) != 0)
    return shk_ok();
  for (int i = 0; i < e->system->n; i++)
    s->along[i] = shk_over_mass(e, s->row[i], i);
  SHK_TRY(shk_curvature(e, &c, task->t1, task->q1, s->along));
  if (!real_isfinite(c))
    return shk_failure(SHK_NOT_FINITE, "the curvature of the constraint is not finite", 0, 0);
  /* In closed form to the digits of `rough`, then by Newton's method. */
  const rough root = 1 - 2 * (rough)(c * *y / K);
  if (!(root > 0))
    return shk_ok();
  const real near = *y * (real)(2 / (1 + sqrt(root)));
  *y = near + (g - near * (K - c / 2 * near)) / (K - c * near);
  return shk_ok();
}

static void read_row(struct single *s, const real *G)
{
  const struct shk_evaluator *e = s->at.evaluator;
  shk_fill(s->row, 0, e->system->n);
  for (int k = 0; k < e->row_start[1]; k++)
    s->row[e->columns[k]] = G[k];
}

/* Computes dp, p1 and q1 for the present lambda. */
static void move(const struct single *s, const struct shk_position_solve *task)
{
  const struct shk_evaluator *e = s->at.evaluator;
  const real impulse = -task->kick * task->lambda[0], drift = task->drift;
  real *const p1 = task->p1 ? task->p1 : s->at.velocity;
  for (int i = 0, n = e->system->n; i < n; i++) {
    const real dp = (task->dp_free ? task->dp_free[i] : 0) + s->row[i] * impulse;
    const real momentum = task->p[i] + (dp + task->p_carry[i]);
    const real way = drift * shk_over_mass(e, momentum, i) + task->q_carry[i];
    task->q1[i] = task->q[i] + way;
    task->q1_carry[i] = way;
    p1[i] = momentum;
    task->dp[i] = dp;
  }
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct single *s = self;
  struct shk_evaluator *e = s->at.evaluator;
  const struct shk_system *system = e->system;
  shk_begin_position(&s->at, iteration, &shk_position_rule, task);
  read_row(s, task->G_b);
  for (;;) {
    real g, y;
    move(s, task);
    e->work.constraint++;
    SHK_TRY(shk_callback_status(system->constraint(system->context, &g, task->t1, task->q1)));
    SHK_TRY(shk_iteration_next(iteration, real_fabs(g)));
    if (iteration->converged)
      return shk_ok();
    e->work.jacobian++;
    e->work.factorizations++;
    SHK_TRY(shk_callback_status(system->jacobian(system->context, task->G1, task->t1, task->q1)));
    const real K = shk_own_entry(e, task->G1, task->G_b, 0);
    if (K == 0 || !real_isfinite(K))
      return singular(K);
    e->work.iterations++;
    y = g / K;
    if (RESIDUALS_ARE_FINER && !iteration->counted)
      SHK_TRY(correct(s, &y, task, g, K));
    task->lambda[0] += y / (task->drift * task->kick);
  }
}

/* Computes p1 for the present dp, and G1 v + g_t. */
static struct shk_status kick(struct single *s, real *rate, const struct shk_hidden_solve *task)
{
  const struct shk_evaluator *e = s->at.evaluator;
  const struct shk_system *system = e->system;
  real sum = 0;
  if (system->constraint_rate)
    SHK_TRY(
        shk_callback_status(system->constraint_rate(system->context, &sum, task->t1, task->q1)));
  for (int i = 0; i < system->n; i++) {
    const real way = task->dp[i] + task->p_carry[i], p1 = task->p[i] + way;
    s->at.velocity[i] = shk_over_mass(e, p1, i);
    task->p1[i] = p1;
    task->p1_carry[i] = way;
  }
  for (int k = 0; k < e->row_start[1]; k++)
    sum += task->G1[k] * s->at.velocity[e->columns[k]];
  *rate = sum;
  return shk_ok();
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_hidden_solve *task)
{
  struct single *s = self;
  struct shk_evaluator *e = s->at.evaluator;
  real rate, K = 0;
  shk_begin_hidden(&s->at, iteration, &shk_hidden_rule, task);
  for (bool first = true;; first = false) {
    SHK_TRY(kick(s, &rate, task));
    SHK_TRY(shk_iteration_next(iteration, real_fabs(rate)));
    if (iteration->converged)
      return shk_ok();
    if (first) {
      e->work.factorizations++;
      K = shk_own_entry(e, task->G1, task->G1, 0);
      if (K == 0 || !real_isfinite(K))
        return singular(K);
    }
    e->work.iterations++;
    const real correction = rate / K / task->kick;
    task->mu[0] += correction;
    for (int k = 0; k < e->row_start[1]; k++)
      task->dp[e->columns[k]] -= task->G1[k] * (task->kick * correction);
  }
}

struct shk_status shk_single_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  struct single *s = shk_memory(b->workspace, sizeof *s);
  SHK_TRY(shk_allocated(s));
  SHK_TRY(shk_residuals_init(&s->at, b));
  SHK_TRY(shk_reals(b->workspace, &s->row, (size_t)e->system->n));
  SHK_TRY(shk_reals(b->workspace, &s->along, (size_t)e->system->n));
  *solver = (struct shk_solver){.self = s, .position = position, .hidden = hidden};
  return shk_ok();
}
