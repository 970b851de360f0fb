/*
 * Records the drift of each invariant that the problem declares, (I(t) - I(0)) / max(|I(0)|,
 * s/10⁶), where the difference is computed in the run's precision. The size s of the terms of I at
 * the start is the round-off floor of I divided by epsilon (mechanics/diagnosis/floors.h). It is
 * needed because an invariant may be zero. The largest change over one step of fixed length is
 * recorded in the same unit.
 */
#include "measures/measure.h"

#include "mechanics/diagnosis/floors.h"

#include <stdint.h>
#include <stdio.h>

struct invariants {
  const struct shk_measured *run;
  int count;
  real *start, *last; /* the values at the start and at the last state */
  real *values;       /* 2 count */
  real *floor, *unit; /* the round-off floors, and the units by which changes are divided */
  struct shk_floors floors;
  struct shk_reduction *drift, *increment;
};

/* The value of an invariant serves as its unit only if it exceeds this fraction of the size of the
 * invariant's terms. */
#define LEAST_PART R(1e-6)

static bool invariants_apply(const struct shk_measured *run)
{
  return run->instance->invariants && run->instance->invariant_count > 0;
}

static struct shk_status invariants_create(void *state, const struct shk_measured *run)
{
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t count = (size_t)run->instance->invariant_count;
  struct invariants *const invariants = state;
  *invariants = (struct invariants){.run = run, .count = (int)count};
  invariants->drift = shk_memory(workspace, count * sizeof *invariants->drift);
  SHK_TRY(shk_allocated(invariants->drift));
  invariants->increment = shk_memory(workspace, count * sizeof *invariants->increment);
  SHK_TRY(shk_allocated(invariants->increment));
  for (int i = 0; i < invariants->count; i++) {
    SHK_TRY(shk_measure_series(run, &invariants->drift[i]));
    SHK_TRY(shk_measure_series(run, &invariants->increment[i]));
  }
  SHK_TRY(shk_floors_create(&invariants->floors, run->evaluator, run->instance->time_scale));
  SHK_TRY(shk_reals(workspace, &invariants->start, count));
  SHK_TRY(shk_reals(workspace, &invariants->last, count));
  SHK_TRY(shk_reals(workspace, &invariants->floor, count));
  SHK_TRY(shk_reals(workspace, &invariants->unit, count));
  return shk_reals(workspace, &invariants->values, 2 * count);
}

static struct shk_status evaluate(void *user, real *values, real t, const real *q, const real *p)
{
  const struct shk_instance *const instance = user;
  if (instance->invariants(instance->system.context, values, t, q, p) != 0)
    return shk_failure(SHK_STOPPED, "the problem's invariants could not be evaluated", 0, 0);
  return shk_ok();
}

/* Stores the values at the start, with their floors and units. The sizes can be computed even if
 * the forces cannot be evaluated at the start. If the invariants cannot be evaluated in any
 * direction of perturbation, the floors remain zero. */
static void begin_invariants(struct invariants *invariants, const struct shk_state *at)
{
  shk_floors_note(&invariants->floors, at->t, at->q, at->p);
  shk_floors_raise(&invariants->floors, invariants->floor, invariants->values, invariants->count,
                   evaluate, (void *)(uintptr_t)invariants->run->instance, at->t, at->q, at->p);
  for (int i = 0; i < invariants->count; i++) {
    invariants->start[i] = invariants->last[i] = invariants->values[i];
    invariants->unit[i] = real_max(LEAST_PART * (invariants->floor[i] / REAL_EPSILON),
                                   real_fabs(invariants->start[i]));
    /* if the unit is zero, either all changes are zero or there is no scale for them */
    invariants->unit[i] = invariants->unit[i] > 0 ? invariants->unit[i] : 1;
  }
}

static struct shk_status invariants_observe(void *state, const struct shk_state *at)
{
  struct invariants *invariants = state;
  const struct shk_instance *instance = invariants->run->instance;
  SHK_TRY(evaluate((void *)(uintptr_t)instance, invariants->values, at->t, at->q, at->p));
  if (invariants->count > 0 && !invariants->drift[0].begun)
    begin_invariants(invariants, at);
  for (int i = 0; i < invariants->count; i++) {
    const real change = (invariants->values[i] - invariants->start[i]) / invariants->unit[i];
    const real increment = (invariants->values[i] - invariants->last[i]) / invariants->unit[i];
    const double time = (double)(at->t - instance->initial_time);
    shk_reduction_note(&invariants->drift[i], time, (double)change);
    shk_reduction_note(&invariants->increment[i], time, (double)real_fabs(increment));
    invariants->last[i] = invariants->values[i];
  }
  return shk_ok();
}

static void invariants_finish(void *state, struct shk_outcome *outcome)
{
  const struct invariants *invariants = state;
  char name[96];
  for (int i = 0; i < invariants->count; i++) {
    const char *invariant = invariants->run->instance->invariant_names[i];
    snprintf(name, sizeof name, "invariant-%s-max", invariant);
    shk_outcome_add_scalar(outcome, name, invariants->drift[i].size);
    snprintf(name, sizeof name, "invariant-%s-floor", invariant);
    if (invariants->unit[i] > 0)
      shk_outcome_add_scalar(outcome, name, (double)(invariants->floor[i] / invariants->unit[i]));
    snprintf(name, sizeof name, "invariant-%s", invariant);
    shk_series_to_single(shk_reduction_finish(&invariants->drift[i], outcome, name));
    snprintf(name, sizeof name, "increment-%s", invariant);
    if (!invariants->run->adaptive) /* adaptive methods provide states only at sample times */
      shk_reduction_finish_largest(&invariants->increment[i], outcome, name);
  }
}

const struct shk_measure shk_measure_invariants = {.size = sizeof(struct invariants),
                                                   .applies = invariants_apply,
                                                   .create = invariants_create,
                                                   .observe = invariants_observe,
                                                   .finish = invariants_finish};
