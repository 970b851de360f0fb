/*
 * Drift of each invariant that the problem declares, (I(t) - I(0)) / max(|I(0)|, s/10⁶), with the
 * difference taken in the precision of the run. s is the size of the terms of I at the start, its
 * floor of round-off over epsilon (mechanics/diagnosis/floors.h): an invariant may be zero.
 */
#include "measures/measure.h"

#include "mechanics/diagnosis/floors.h"

#include <stdint.h>
#include <stdio.h>

struct invariants {
  const struct shk_measured *run;
  int count;
  real *start, *values; /* values: 2 count */
  real *floor, *unit;   /* of round-off; the number by which changes are divided */
  struct shk_floors floors;
  struct shk_reduction *drift;
};

/* The part of the size of its terms below which an invariant is not its own unit. */
#define LEAST_PART R(1e-6)

static bool invariants_apply(const struct shk_measured *run)
{
  return run->instance->invariants && run->instance->invariant_count > 0;
}

static struct shk_status invariants_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t count = (size_t)run->instance->invariant_count;
  struct invariants *const w = state;
  *w = (struct invariants){.run = run, .count = (int)count};
  w->drift = shk_memory(workspace, count * sizeof *w->drift);
  SHK_TRY(shk_allocated(w->drift));
  for (int i = 0; i < w->count; i++)
    SHK_TRY(shk_measure_series(run, &w->drift[i]));
  SHK_TRY(shk_floors_create(&w->floors, run->evaluator, run->instance->time_scale));
  SHK_TRY(shk_reals(workspace, &w->start, count));
  SHK_TRY(shk_reals(workspace, &w->floor, count));
  SHK_TRY(shk_reals(workspace, &w->unit, count));
  return shk_reals(workspace, &w->values, 2 * count);
}

static struct shk_status evaluate(void *user, real *values, real t, const real *q, const real *p)
{
  const struct shk_instance *const instance = user;
  if (instance->invariants(instance->system.context, values, t, q, p) != 0)
    return shk_failure(SHK_STOPPED, "the problem's invariants could not be evaluated", 0, 0);
  return shk_ok();
}

/* Stores the values at the start, their floors and their units. A start without forces has sizes
 * all the same; no direction in which the invariants exist leaves the floors zero. */
static void begin(struct invariants *w, const struct shk_state *at)
{
  shk_floors_note(&w->floors, at->t, at->q, at->p);
  shk_floors_raise(&w->floors, w->floor, w->values, w->count, evaluate,
                   (void *)(uintptr_t)w->run->instance, at->t, at->q, at->p);
  for (int i = 0; i < w->count; i++) {
    w->start[i] = w->values[i];
    w->unit[i] = real_max(LEAST_PART * (w->floor[i] / REAL_EPSILON), real_fabs(w->start[i]));
    w->unit[i] = w->unit[i] > 0 ? w->unit[i] : 1; /* all changes are zero, or have no scale */
  }
}

static struct shk_status invariants_observe(void *state, const struct shk_state *at)
{
  struct invariants *w = state;
  const struct shk_instance *instance = w->run->instance;
  SHK_TRY(evaluate((void *)(uintptr_t)instance, w->values, at->t, at->q, at->p));
  if (w->count > 0 && !w->drift[0].begun)
    begin(w, at);
  for (int i = 0; i < w->count; i++) {
    const real change = (w->values[i] - w->start[i]) / w->unit[i];
    shk_reduction_note(&w->drift[i], (double)(at->t - instance->initial_time), (double)change);
  }
  return shk_ok();
}

static void invariants_finish(void *state, struct shk_outcome *outcome)
{
  const struct invariants *w = state;
  char name[96];
  for (int i = 0; i < w->count; i++) {
    const char *invariant = w->run->instance->invariant_names[i];
    snprintf(name, sizeof name, "invariant-%s-max", invariant);
    shk_outcome_add_scalar(outcome, name, w->drift[i].size);
    snprintf(name, sizeof name, "invariant-%s-floor", invariant);
    if (w->unit[i] > 0)
      shk_outcome_add_scalar(outcome, name, (double)(w->floor[i] / w->unit[i]));
    snprintf(name, sizeof name, "invariant-%s", invariant);
    shk_reduction_finish(&w->drift[i], outcome, name, SHK_LINE_INTERVALS);
  }
}

const struct shk_measure shk_measure_invariants = {.size = sizeof(struct invariants),
                                                   .applies = invariants_apply,
                                                   .create = invariants_create,
                                                   .observe = invariants_observe,
                                                   .finish = invariants_finish};
