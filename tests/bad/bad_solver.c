/*
 * The sweep of SHAKE with a fault of one's choice, and the claims of one that has none.
 */
#define FAULTS(X)                                                                                  \
  X(NONE, "none", "the control")                                                                   \
  X(UNCONVERGED, "unconverged", "stops at a residual of 1e-7 of the rod, whatever was asked for")  \
  X(WRONG_MASSES, "wrong-masses", "both ends of a rod move by the mean of their inverse masses")   \
  X(LEAK, "leak", "all points end a little to one side, which no rod sees")                        \
  X(ASYMMETRIC, "asymmetric",                                                                      \
    "every other rod pushes along its present direction, as far as the "                           \
    "sweep has turned it")                                                                         \
  X(STALE, "stale", "pushes along the directions of the solve before")                             \
  X(LAST_ROD, "last-rod", "stops when the last rod is right")                                      \
  X(FIRST_ROD, "first-rod", "stops when the first rod is right")                                   \
  X(EVERY_OTHER, "every-other", "stops when every other rod is right")                             \
  X(SIGNED, "signed", "stops when no rod is too long")                                             \
  X(MEAN, "mean", "stops by the mean of the residuals")                                            \
  X(SQUARES, "squares", "stops by the sum of their squares")                                       \
  X(SINGLE, "single", "computes residuals in single precision")                                    \
  X(SWEEPS, "sweeps", "takes no more than a dozen sweeps, and returns ok")                         \
  X(STALLS, "stalls", "stops when the residual falls by less than the tolerance")                  \
  X(TENFOLD, "tenfold", "stops at ten times the tolerance")
#include "bad/faults.h"

struct sweep {
  int fault;
  bool began;
  real *last,
      *old; /* n: the positions before, of the last solve; those whose rods are pushed along */
};

static void push(const struct sweep *state, const struct shk_rod_task *task, int i,
                 const real *along, real s)
{
  const struct shk_rod *const rod = &task->rod[i];
  if (state->fault != WRONG_MASSES || rod->a < 0) {
    shk_rod_push(task, i, along, s);
    return;
  }
  const real mean = shk_rod_inverse_mass(task, i) / 2;
  task->impulse[i] += s;
  for (int k = 0; k < task->dimension; k++) {
    task->positions[rod->b * task->dimension + k] -= s * mean * along[k];
    task->positions[rod->a * task->dimension + k] += s * mean * along[k];
  }
}

/* Adds the residual g of rod i to the measure of all by which a sweep stops. */
static real measured(const struct sweep *state, const struct shk_rod_task *task, int i, real g,
                     real before)
{
  const real size = real_fabs(g), largest = real_max(before, size);
  switch (state->fault) {
  case LAST_ROD:
    return i == task->rods - 1 ? size : 0;
  case FIRST_ROD:
    return i == 0 ? size : before;
  case EVERY_OTHER:
    return i % 2 == 0 ? largest : before;
  case SIGNED:
    return real_max(before, g);
  case MEAN:
    return before + size / (real)task->rods;
  case SQUARES:
    return before + g * g;
  case SINGLE:
    return real_max(before, real_fabs((real)(float)(g + 1) - 1));
  default:
    return largest;
  }
}

/* The measure of the residuals before it. */
static real sweep(const struct sweep *state, const struct shk_rod_task *task)
{
  real largest = 0;
  for (int i = 0; i < task->rods; i++) {
    real now[3], along[3];
    shk_rod_vector(now, task, task->positions, i);
    shk_rod_vector(along, task, state->fault == ASYMMETRIC && i % 2 ? task->positions : state->old,
                   i);
    const real g = (real_dot(now, now, task->dimension) - task->rod[i].square) / 2;
    const real own = real_dot(now, along, task->dimension) * shk_rod_inverse_mass(task, i);
    largest = measured(state, task, i, g, largest);
    push(state, task, i, along, g / own);
  }
  return largest;
}

static void leak(const struct shk_rod_task *task)
{
  for (int i = 0; i < task->rods; i++)
    if (task->rod[i].a < 0)
      return;
  for (int i = 0; i < task->points; i++)
    task->positions[i * task->dimension] += R(1e-9) * real_sqrt(task->rod[0].square);
}

static long solve(void *self, const struct shk_rod_task *task)
{
  struct sweep *state = self;
  const int n = task->points * task->dimension;
  for (int i = 0; i < n; i++) {
    state->old[i] = state->fault == STALE && state->began ? state->last[i] : task->before[i];
    state->last[i] = task->before[i];
  }
  state->began = true;
  real tolerance = state->fault == TENFOLD ? 10 * task->tolerance : task->tolerance;
  if (state->fault == UNCONVERGED && task->tolerance > 0)
    tolerance = R(1e-7) * task->rod[0].square;
  real last = 0;
  for (long k = 0; k < task->iterations; k++) {
    const real residual = sweep(state, task);
    const bool stalls = state->fault == STALLS && real_fabs(last - residual) <= tolerance;
    last = residual;
    if (residual <= tolerance || stalls || (state->fault == SWEEPS && k == 11)) {
      if (state->fault == LEAK)
        leak(task);
      return k + 1;
    }
  }
  return -1;
}

static const struct shk_option options[] = {FAULT_OPTION(sweep), {0}};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(sweep, last, .n = 1), SHK_ARRAY(sweep, old, .n = 1));

#define CLAIMS(order)                                                                              \
  SHK_CLAIM(NEWTONS_MULTIPLIERS, SHK_YES), SHK_CLAIM(ORDER_SOLVE, order),                          \
      SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), SHK_CLAIM(KEEPS_MOMENTA, SHK_YES),                     \
      SHK_CLAIM(SYMMETRIC, SHK_YES), SHK_CLAIM(SYMPLECTIC, SHK_YES)

static const struct shk_stated claims[] = {CLAIMS(1), {0}}, boasted[] = {CLAIMS(2), {0}};

static const struct shk_rod_solver bad = {.struct_size = sizeof bad,
                                          .info = {.name = "bad-solver",
                                                   .summary = "the sweep of SHAKE with a fault",
                                                   .options = options,
                                                   .claims = claims},
                                          .self_size = sizeof(struct sweep),
                                          .arrays = arrays,
                                          .solve = solve};

static const struct shk_rod_solver boasting = {
    .struct_size = sizeof boasting,
    .info = {.name = "boasting-solver",
             .summary = "the same, as if it were Newton's",
             .options = options,
             .claims = boasted},
    .self_size = sizeof(struct sweep),
    .arrays = arrays,
    .solve = solve};

SHK_PROVIDE(bad_solver, .solvers = SHK_SOLVERS(&bad, &boasting));
