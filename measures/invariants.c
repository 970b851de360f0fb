/*
 * Drift of each invariant that the problem declares, (I(t) - I(0)) / max(1, |I(0)|), with the
 * difference taken in the precision of the run.
 */
#include "measures/measure.h"
#include "measures/reduction.h"

#include <stdio.h>
#include <stdlib.h>

struct invariants {
  const struct shk_measured *run;
  int count;
  bool started;
  real *start, *values;
  struct shk_reduction *drift;
};

static void invariants_destroy(void *state)
{
  struct invariants *w = state;
  if (!w)
    return;
  for (int i = 0; w->drift && i < w->count; i++)
    shk_reduction_clear(&w->drift[i]);
  free(w->drift);
  free(w->start);
  free(w);
}

static struct shk_status invariants_create(void **state, const struct shk_measured *run)
{
  const struct shk_status none =
      shk_failure(SHK_NO_MEMORY, "no memory for the invariants' series", 0, 0);
  *state = NULL;
  if (!run->instance->invariants || run->instance->invariant_count == 0)
    return shk_ok();
  struct invariants *w = *state = calloc(1, sizeof *w);
  if (!w)
    return none;
  w->run = run;
  w->count = run->instance->invariant_count;
  w->start = calloc(2 * (size_t)w->count + 1, sizeof(real));
  w->drift = calloc((size_t)w->count + 1, sizeof *w->drift);
  if (!w->start || !w->drift)
    return none;
  w->values = w->start + w->count;
  for (int i = 0; i < w->count; i++)
    if (!shk_reduction_init(&w->drift[i], run->observations))
      return none;
  return shk_ok();
}

static struct shk_status invariants_observe(void *state, const struct shk_state *at)
{
  struct invariants *w = state;
  const struct shk_instance *instance = w->run->instance;
  if (instance->invariants(instance->system.context, w->values, at->t, at->q, at->p) != 0)
    return shk_failure(SHK_STOPPED, "the problem's invariants could not be evaluated", 0, 0);
  for (int i = 0; i < w->count; i++) {
    if (!w->started) {
      w->start[i] = w->values[i];
      shk_reduction_start(&w->drift[i], 0);
    } else {
      shk_reduction_add(
          &w->drift[i], (double)(at->t - instance->initial_time),
          (double)((w->values[i] - w->start[i]) / real_max(1, real_fabs(w->start[i]))));
    }
  }
  w->started = true;
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
    snprintf(name, sizeof name, "invariant-%s", invariant);
    shk_reduction_finish(&w->drift[i], outcome, name, SHK_LINE_INTERVALS);
  }
}

const struct shk_measure shk_measure_invariants = {.create = invariants_create,
                                                   .observe = invariants_observe,
                                                   .finish = invariants_finish,
                                                   .destroy = invariants_destroy};
