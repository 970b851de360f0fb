/*
 * The position and the hidden solve of separable systems with one constraint: the same numbers as
 * newton.c with a dense LU of one entry, without what only several constraints need; in quad with
 * fewer corrections, by second derivatives. A step of such a system costs little more than its
 * callbacks, so every loop and call shows: by the general solves one of the planar pendulum takes twice
 * the time (shakedown-bench pendulum, sparse-ldl and block).
 */
#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/rods/special.h"
#include "mechanics/system/binding.h"
#include "mechanics/system/callback.h"

/* The solves are compiled for any row, and once more for that of a point in the plane. */
struct row {
  int n, entries;
  bool whole; /* it has all coordinates */
};

static const struct row in_plane = {.n = 2, .entries = 2, .whole = true};

struct single {
  struct shk_evaluator *evaluator;
  const struct shk_position_solve *position; /* the present solve */
  const struct shk_hidden_solve *hidden;
  struct row row;
  const int *columns;
  real *velocity; /* n */
  real *along;    /* n: M⁻¹ G_bᵀ, in quad */
};

static inline real over_mass(const struct single *s, real x, int i)
{
  return shk_over_mass(s->evaluator, x, i);
}

/* The coordinate of entry k. */
static inline int coordinate(const struct single *s, struct row row, int k)
{
  return row.whole ? k : s->columns[k];
}

/* G M⁻¹ G_bᵀ; false if it is zero or not finite. */
INLINED bool form_matrix(real *K, const struct single *s, struct row row, const real *G,
                         const real *G_b)
{
  real sum = 0;
  for (int k = 0; k < row.entries; k++)
    sum += over_mass(s, G[k], coordinate(s, row, k)) * G_b[k];
  *K = sum;
  return sum != 0 && real_isfinite(sum);
}

/* x (n) <- M⁻¹ G_bᵀ */
static void spread(real *x, const struct single *s, const real *G_b)
{
  for (int i = 0; i < s->row.n; i++)
    x[i] = 0;
  for (int k = 0; k < s->row.entries; k++)
    x[s->columns[k]] = over_mass(s, G_b[k], s->columns[k]);
}

/* *y: that of g - K y + c y²/2 = 0 next to g/K, where c is the second derivative of g along M⁻¹
 * G_bᵀ. It is the whole correction of quadratic constraints, rods and spheres among them, and leaves
 * the third power of the error of others; g/K leaves the second. In quad, where a correction costs
 * more than a second derivative. */
static struct shk_status correction(real *y, const struct single *s,
                                    const struct shk_position_solve *task, real g, real K)
{
  struct shk_evaluator *e = s->evaluator;
  real c;
  *y = g / K;
  if (!e->system->curvature || (e->system->features & SHK_RHEONOMIC) != 0)
    return shk_ok();
  spread(s->along, s, task->G_b);
  SHK_TRY(shk_curvature(e, &c, task->t1, task->q1, s->along));
  const real half = c / 2, slope = c * *y;
  /* To the digits of double, and by Newton's method from there. */
  const double root = 1 - 2 * (double)(slope / K);
  if (!(root > 0))
    return shk_ok();
  const real near = *y * (real)(2 / (1 + sqrt(root)));
  *y = near + (g - near * (K - half * near)) / (K - c * near);
  return shk_ok();
}

static struct shk_status take_jacobian(struct shk_evaluator *e, real *G, real t, const real *q)
{
  e->work.jacobian++;
  const int code = e->system->jacobian(e->system->context, G, t, q);
  return code == 0 ? shk_ok() : shk_callback_status(code);
}

/* Both roundings as in kit/residuals.c. */
static real rounding_of_position(void *user, bool cancelled)
{
  const struct single *s = user;
  const struct shk_position_solve *task = s->position;
  const bool moving = (s->evaluator->system->features & SHK_RHEONOMIC) != 0;
  real sum = 0;
  for (int k = 0; k < s->row.entries; k++) {
    const int c = coordinate(s, s->row, k);
    real size = real_fabs(task->q[c]);
    if (cancelled)
      size = real_fabs(task->drift * task->kick) * real_fabs(task->G_b[k] * task->lambda[0]) /
             s->evaluator->system->mass[c];
    else if (moving)
      size += real_fabs(task->drift * task->p[c] / s->evaluator->system->mass[c]);
    sum += real_fabs(task->G_b[k]) * size;
  }
  return real_max(REAL_SMALLEST / REAL_EPSILON, sum);
}

static inline real free_kick(const struct shk_position_solve *task, int i)
{
  return task->dp_free ? task->dp_free[i] : 0;
}

/* Moves coordinate i by the change of its momentum. */
static inline void move(const struct single *s, const struct shk_position_solve *task, int i,
                        real change)
{
  const real p1 = task->p[i] + (change + task->p_carry[i]);
  const real step = task->drift * over_mass(s, p1, i) + task->q_carry[i];
  task->dp[i] = change;
  if (task->p1)
    task->p1[i] = p1;
  task->q1[i] = task->q[i] + step;
  task->q1_carry[i] = step;
}

INLINED void move_all(const struct single *s, struct row row, const struct shk_position_solve *task,
                      real impulse)
{
  if (row.whole) {
    for (int i = 0; i < row.n; i++)
      move(s, task, i, free_kick(task, i) + task->G_b[i] * impulse);
    return;
  }
  for (int i = 0; i < row.n; i++)
    task->dp[i] = free_kick(task, i);
  for (int k = 0; k < row.entries; k++)
    task->dp[s->columns[k]] += task->G_b[k] * impulse;
  for (int i = 0; i < row.n; i++)
    move(s, task, i, task->dp[i]);
}

/* What the sum for q1 has left, in place of the step: with it, real_accumulate(). */
INLINED void carry_rest(const struct shk_position_solve *task, int n)
{
  for (int i = 0; i < n; i++) {
    const real step = task->q1_carry[i], part = task->q1[i] - task->q[i];
    task->q1_carry[i] = (task->q[i] - (task->q1[i] - part)) + (step - part);
  }
}

INLINED struct shk_status position(struct single *s, struct row row,
                                   struct shk_iteration *iteration,
                                   const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const struct shk_system *system = e->system;
  s->position = task;
  shk_iteration_begin_estimated(iteration, &shk_position_rule, rounding_of_position, s);
  for (;;) {
    move_all(s, row, task, -task->kick * task->lambda[0]);
    real g, K;
    e->work.constraint++;
    const int code = system->constraint(system->context, &g, task->t1, task->q1);
    if (code != 0)
      return shk_callback_status(code);
    SHK_TRY(shk_iteration_next(iteration, real_fabs(g)));
    SHK_TRY(take_jacobian(e, task->G1, task->t1, task->q1));
    if (iteration->converged) {
      carry_rest(task, row.n);
      return shk_ok();
    }
    e->work.factorizations++;
    if (!form_matrix(&K, s, row, task->G1, task->G_b))
      return shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0);
    e->work.iterations++;
    real y = g / K;
    if (REAL_DIGITS >= 30 && !iteration->counted)
      SHK_TRY(correction(&y, s, task, g, K));
    task->lambda[0] += y / (task->drift * task->kick);
  }
}

static struct shk_status solve_position(void *self, struct shk_iteration *iteration,
                                        const struct shk_position_solve *task)
{
  struct single *s = self;
  return s->row.n == 2 && s->row.whole ? position(s, in_plane, iteration, task)
                                       : position(s, s->row, iteration, task);
}

static real rounding_of_momenta(void *user, bool cancelled)
{
  const struct single *s = user;
  const struct shk_hidden_solve *task = s->hidden;
  real sum = 0;
  for (int k = 0; k < s->row.entries && !cancelled; k++) {
    const int c = coordinate(s, s->row, k);
    sum += real_fabs(task->G1[k]) *
           (real_fabs(s->velocity[c]) + real_fabs(over_mass(s, task->dp[c], c)));
  }
  return real_max(REAL_SMALLEST / REAL_EPSILON, sum);
}

/* The momentum of coordinate i after a change by dp; returns its velocity. */
static inline real kick(const struct single *s, const struct shk_hidden_solve *task, int i, real dp)
{
  real p1 = task->p[i], carry = task->p_carry[i];
  real_accumulate(&p1, &carry, dp);
  task->dp[i] = dp;
  task->p1[i] = p1;
  task->p1_carry[i] = carry;
  return s->velocity[i] = over_mass(s, p1, i);
}

/* G1 times the velocities after a kick by what `impulse` adds to dp. */
INLINED real kick_all(const struct single *s, struct row row, const struct shk_hidden_solve *task,
                      real impulse, bool first)
{
  real sum = 0;
  if (row.whole) {
    for (int i = 0; i < row.n; i++)
      sum +=
          task->G1[i] * kick(s, task, i, first ? task->dp[i] : task->dp[i] + task->G1[i] * impulse);
    return sum;
  }
  for (int k = 0; k < row.entries && !first; k++)
    task->dp[s->columns[k]] += task->G1[k] * impulse;
  for (int i = 0; i < row.n; i++)
    kick(s, task, i, task->dp[i]);
  for (int k = 0; k < row.entries; k++)
    sum += task->G1[k] * s->velocity[s->columns[k]];
  return sum;
}

INLINED struct shk_status hidden(struct single *s, struct row row, struct shk_iteration *iteration,
                                 const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const struct shk_system *system = e->system;
  real K = 0, rate = 0, impulse = 0; /* what mu has not yet given to dp */
  s->hidden = task;
  task->mu[0] = 0;
  shk_iteration_begin_estimated(iteration, &shk_hidden_rule, rounding_of_momenta, s);
  for (bool first = true;; first = false) {
    if (system->constraint_rate) {
      const int code = system->constraint_rate(system->context, &rate, task->t1, task->q1);
      if (code != 0)
        return shk_callback_status(code);
    }
    const real sum = kick_all(s, row, task, impulse, first) + rate;
    SHK_TRY(shk_iteration_next(iteration, real_fabs(sum)));
    if (iteration->converged)
      return shk_ok();
    if (first) {
      e->work.factorizations++;
      if (!form_matrix(&K, s, row, task->G1, task->G1))
        return shk_failure(SHK_SINGULAR, SHK_SINGULAR_MATRIX, 0, 0);
    }
    e->work.iterations++;
    const real correction = sum / K / task->kick;
    task->mu[0] += correction;
    impulse = -task->kick * correction;
  }
}

static struct shk_status solve_hidden(void *self, struct shk_iteration *iteration,
                                      const struct shk_hidden_solve *task)
{
  struct single *s = self;
  return s->row.n == 2 && s->row.whole ? hidden(s, in_plane, iteration, task)
                                       : hidden(s, s->row, iteration, task);
}

struct shk_status shk_single_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                    struct shk_evaluator *e, const struct shk_values *options)
{
  (void)options;
  const int n = e->system->n;
  struct single *s = shk_memory(workspace, sizeof *s);
  if (!s)
    return shk_no_memory();
  SHK_TRY(shk_reals(workspace, &s->velocity, (size_t)n));
  SHK_TRY(shk_reals(workspace, &s->along, (size_t)n));
  s->evaluator = e;
  s->columns = e->columns;
  s->row = (struct row){.n = n, .entries = e->row_start[1], .whole = e->row_start[1] == n};
  for (int i = 0; i < n; i++)
    s->row.whole = s->row.whole && s->columns[i] == i;
  *solver = (struct shk_solver){
      .self = s, .position = solve_position, .hidden = solve_hidden, .plain = true};
  return shk_ok();
}
