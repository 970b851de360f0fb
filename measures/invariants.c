/*
 * Drift of each invariant that the problem declares, (I(t) - I(0)) / max(1, |I(0)|), with the
 * difference taken in the precision of the run.
 */
#include "measures/measure.h"

#include <stdio.h>

struct invariants {
  const struct shk_measured *run;
  int count;
  real *start, *values;
  struct shk_reduction *drift;
};

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
  SHK_TRY(shk_reals(workspace, &w->start, count));
  return shk_reals(workspace, &w->values, count);
}

static struct shk_status invariants_observe(void *state, const struct shk_state *at)
{
  struct invariants *w = state;
  const struct shk_instance *instance = w->run->instance;
  if (instance->invariants(instance->system.context, w->values, at->t, at->q, at->p) != 0)
    return shk_failure(SHK_STOPPED, "the problem's invariants could not be evaluated", 0, 0);
  for (int i = 0; i < w->count; i++) {
    if (!w->drift[i].begun)
      w->start[i] = w->values[i];
    const real change = (w->values[i] - w->start[i]) / real_max(1, real_fabs(w->start[i]));
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
    snprintf(name, sizeof name, "invariant-%s", invariant);
    shk_reduction_finish(&w->drift[i], outcome, name, SHK_LINE_INTERVALS);
  }
}

const struct shk_measure shk_measure_invariants = {.size = sizeof(struct invariants),
                                                   .applies = invariants_apply,
                                                   .create = invariants_create,
                                                   .observe = invariants_observe,
                                                   .finish = invariants_finish};
