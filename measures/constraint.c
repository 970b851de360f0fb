/* Measures the constraint violation along the run: the max norms of g and of the hidden
 * (velocity-level) constraint G H_p + g_t, with each row in units of its constraint_scale, and the
 * round-off floors of both norms. The largest relative violation, which is dimensionless, is also
 * recorded: | |r| - d | / d for distance constraints, and |g_k| / (|G_k| |q|) for other
 * constraints, with the Euclidean norm of the row and the max norm of q. The second expression
 * requires G, so it is evaluated only at states at which the max norm of g is larger than at all
 * previous states.
 *
 * Each row has its own floor (mechanics/diagnosis/floors.h), based on magnitudes over the whole
 * run: the larger of its floors at the start and at the last sample time. The worst row is the one
 * with the largest ratio of its largest violation to its floor. The recorded floor is the worst
 * row's floor, scaled by the largest violation of any row divided by the worst row's violation. The
 * ratio of the recorded violation to the recorded floor is therefore the worst row's ratio. */
#include "measures/measure.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/manifold.h"

#include "mechanics/diagnosis/floors.h"
#include "mechanics/system/state.h"

#include <math.h>
#include <stdio.h>

/* Individual constraints are recorded in cells of type "regularity", for systems with at most this
 * many constraints. */
enum { MOST_SINGLE = 16 };

struct constraint {
  const struct shk_measured *run;
  struct shk_reduction g, hidden;
  /* g_k for each constraint; NULL if these values are not requested or if there are too many
   * constraints */
  struct shk_reduction *single;
  struct shk_floors floors;
  struct shk_state start, last; /* the states at which the row floors are evaluated */
  /* 4m numbers: the largest violation of each row (2m), followed by the floor of each row (2m) */
  real *values, *most, *least;
  real *rows; /* entries of G */
  double relative, rounding;
};

static struct shk_status constraint_create(void *state, const struct shk_measured *run)
{
  struct constraint *const constraint = state;
  const struct shk_system *const system = &run->instance->system;
  const size_t rows = 2 * (size_t)system->m;
  constraint->run = run;
  SHK_TRY(shk_measure_series(run, &constraint->g));
  SHK_TRY(shk_measure_series(run, &constraint->hidden));
  if (run->regularity && system->m <= MOST_SINGLE) {
    constraint->single =
        shk_memory(run->evaluator->workspace, (size_t)system->m * sizeof *constraint->single + 1);
    SHK_TRY(shk_allocated(constraint->single));
    for (int i = 0; i < system->m; i++)
      SHK_TRY(shk_measure_series(run, &constraint->single[i]));
  }
  SHK_TRY(shk_floors_create(&constraint->floors, run->evaluator, run->instance->time_scale));
  if (!shk_state_init(&constraint->start, system->n, system->m) ||
      !shk_state_init(&constraint->last, system->n, system->m))
    return shk_no_memory();
  SHK_TRY(shk_reals(run->evaluator->workspace, &constraint->most, rows));
  SHK_TRY(shk_reals(run->evaluator->workspace, &constraint->least, rows));
  SHK_TRY(shk_reals(run->evaluator->workspace, &constraint->rows,
                    (size_t)run->evaluator->row_start[system->m]));
  return shk_reals(run->evaluator->workspace, &constraint->values, 2 * rows);
}

static void keep_constraint(struct shk_state *kept, const struct shk_state *at)
{
  kept->t = at->t;
  shk_copy(kept->q, at->q, at->n);
  shk_copy(kept->p, at->p, at->n);
}

/* Records a relative violation and its rounding error, in units of the length. The error comes from
 * g and from subtracting two positions of magnitude `reach`. */
static void note_relative(struct constraint *constraint, real relative, real reach)
{
  if (!((double)relative <= constraint->relative)) /* also true for NaN, which is then stored */
    constraint->relative = (double)relative;
  constraint->rounding = fmax(constraint->rounding, 4 * (double)(REAL_EPSILON * (1 + reach)));
}

/* Computes |r|/d - 1 as √(1 + 2g/d²) - 1, which follows from g = ½ (r² - d²). */
static void observe_rods(struct constraint *constraint, const struct shk_rods *rods, const real *g,
                         const struct shk_state *at)
{
  const real size = real_max_norm(at->q, at->n);
  for (int k = 0; k < at->m; k++) {
    const real square = rods->rod[k].square, x = 2 * g[k] / square;
    note_relative(constraint, real_fabs(x) / (1 + real_sqrt(real_max(0, 1 + x))),
                  size / real_sqrt(square));
  }
}

static struct shk_status observe_rows(struct constraint *constraint, const real *g,
                                      const struct shk_state *at)
{
  const struct shk_evaluator *const e = constraint->run->evaluator;
  const real size = real_max_norm(at->q, at->n);
  SHK_TRY(shk_jacobian(constraint->run->evaluator, constraint->rows, at->t, at->q));
  for (int k = 0; k < at->m; k++) {
    const int begin = e->row_start[k], count = e->row_start[k + 1] - begin;
    const real row =
        real_sqrt(real_dot(constraint->rows + begin, constraint->rows + begin, count)) * size;
    if (row > 0)
      note_relative(constraint, real_fabs(g[k]) / row, 1);
  }
  return shk_ok();
}

/* In general DAEs, q is not a position. Constraints that involve momenta have no row that depends
 * on q alone. */
static struct shk_status observe_relative(struct constraint *constraint, const struct shk_state *at,
                                          bool is_larger)
{
  const struct shk_system *const system = &constraint->run->instance->system;
  if (system->features & (SHK_GENERAL_DAE | SHK_MOMENTUM_CONSTRAINT))
    return shk_ok();
  if (system->rods)
    observe_rods(constraint, system->rods, constraint->values, at);
  return system->rods || !(is_larger || constraint->rounding == 0)
             ? shk_ok()
             : observe_rows(constraint, constraint->values, at);
}

static struct shk_status constraint_observe(void *state, const struct shk_state *at)
{
  struct constraint *constraint = state;
  const int m = at->m;
  SHK_TRY(shk_manifold_residuals(constraint->run->manifold, constraint->values,
                                 constraint->values + m, at->t, at->q, at->p));
  const struct shk_system *system = &constraint->run->instance->system;
  const double time = (double)(at->t - constraint->run->instance->initial_time);
  const double norm = (double)shk_constraint_norm(system, constraint->values);
  const bool is_larger = !(norm <= constraint->g.size);
  shk_reduction_note(&constraint->g, time, norm);
  shk_reduction_note(&constraint->hidden, time,
                     (double)shk_constraint_norm(system, constraint->values + m));
  for (int i = 0; constraint->single && i < m; i++)
    shk_reduction_note(&constraint->single[i], time,
                       (double)(constraint->values[i] /
                                (system->constraint_scale ? system->constraint_scale[i] : 1)));
  for (int i = 0; i < 2 * m; i++)
    constraint->most[i] = real_max(constraint->most[i], real_fabs(constraint->values[i]));
  shk_floors_reach(&constraint->floors, at->t, at->q, at->p);
  return observe_relative(constraint, at, is_larger);
}

static struct shk_status constraint_sample(void *state, struct shk_sample *sample,
                                           const struct shk_state *at, const struct shk_state *next,
                                           bool is_start)
{
  struct constraint *const constraint = state;
  /* the status is ignored because the sizes do not depend on the forces */
  shk_floors_note(&constraint->floors, at->t, at->q, at->p);
  keep_constraint(is_start ? &constraint->start : &constraint->last, at);
  return shk_ok();
}

/* Returns the floor of the max norm of m rows, as explained at the top of this file. */
static double floor_of(const struct constraint *constraint, int first, double norm)
{
  const struct shk_system *const system = &constraint->run->instance->system;
  real worst = 0, largest = 0;
  for (int i = first; i < first + system->m; i++) {
    const real unit = system->constraint_scale ? system->constraint_scale[i - first] : 1;
    largest = real_max(largest, constraint->least[i] / unit);
    if (constraint->most[i] > 0)
      worst = real_max(worst, constraint->most[i] / constraint->least[i]);
  }
  return worst > 0 && norm > 0 ? norm / (double)worst : (double)largest;
}

static void constraint_finish(void *state, struct shk_outcome *outcome)
{
  struct constraint *constraint = state;
  struct shk_floors_of_manifold rows = {constraint->run->manifold, constraint->start.m};
  const struct shk_state *const states[] = {&constraint->start, &constraint->last};
  shk_outcome_add_scalar(outcome, "constraint-max", constraint->g.size);
  shk_outcome_add_scalar(outcome, "hidden-max", constraint->hidden.size);
  for (int k = 0; k < 2 && constraint->start.m > 0; k++)
    shk_floors_raise(&constraint->floors, constraint->least, constraint->values,
                     2 * constraint->start.m, shk_floors_residuals, &rows, states[k]->t,
                     states[k]->q, states[k]->p);
  if (constraint->start.m > 0) {
    shk_outcome_add_scalar(outcome, "constraint-floor",
                           floor_of(constraint, 0, constraint->g.size));
    shk_outcome_add_scalar(outcome, "hidden-floor",
                           floor_of(constraint, constraint->start.m, constraint->hidden.size));
  }
  if (constraint->rounding > 0) {
    shk_outcome_add_scalar(outcome, "constraint-relative", constraint->relative);
    shk_outcome_add_scalar(outcome, "constraint-relative-rounding", constraint->rounding);
  }
  shk_series_to_single(shk_reduction_finish(&constraint->g, outcome, "constraint"));
  shk_series_to_single(shk_reduction_finish(&constraint->hidden, outcome, "hidden"));
  for (int i = 0; constraint->single && i < constraint->run->instance->system.m; i++) {
    char name[32];
    snprintf(name, sizeof name, "constraint-%d", i + 1);
    shk_series_to_single(shk_reduction_finish(&constraint->single[i], outcome, name));
  }
}

static void constraint_destroy(void *state)
{
  struct constraint *const constraint = state;
  shk_state_clear(&constraint->start);
  shk_state_clear(&constraint->last);
}

const struct shk_measure shk_measure_constraint = {.size = sizeof(struct constraint),
                                                   .create = constraint_create,
                                                   .observe = constraint_observe,
                                                   .sample = constraint_sample,
                                                   .finish = constraint_finish,
                                                   .destroy = constraint_destroy};
