/*
 * Records the integrator's work, as counted by the counters of <shakedown/counters.def>. For an
 * integrator that chooses its own step sizes, also records the series "step-size" and "rejected":
 * the mean length of the steps since the last sample time with a completed step, and the number of
 * steps rejected during that time.
 */
#include "measures/measure.h"

#include <stdio.h>

struct done {
  const struct shk_measured *run;
  struct shk_reduction size, rejected;
  real since;                 /* time up to which steps have been counted */
  struct shk_counters before; /* the values of the counters at that time */
};

static struct shk_status work_create(void *state, const struct shk_measured *run)
{
  struct done *const done = state;
  done->run = run;
  if (!run->adaptive)
    return shk_ok();
  SHK_TRY(shk_measure_series(run, &done->size));
  return shk_measure_series(run, &done->rejected);
}

static struct shk_status work_observe(void *state, const struct shk_state *at)
{
  struct done *const done = state;
  const struct shk_counters *const now = done->run->counters;
  if (!done->run->adaptive)
    return shk_ok();
  const double time = (double)(at->t - done->run->instance->initial_time);
  const long steps = now->steps - done->before.steps;
  if (done->size.begun && steps == 0) /* the sample time is inside a longer step */
    return shk_ok();
  shk_reduction_note(&done->size, time,
                     done->size.begun ? (double)((at->t - done->since) / (real)steps) : 0);
  shk_reduction_note(&done->rejected, time, (double)(now->rejected - done->before.rejected));
  done->since = at->t;
  done->before = *now;
  return shk_ok();
}

static void work_finish(void *state, struct shk_outcome *outcome)
{
  const struct done *const done = state;
  const struct shk_counters *const counters = done->run->counters;
#define COUNTER(id, name, ...) shk_outcome_add_count(outcome, "work-" #name, counters->name);
#include <shakedown/counters.def>
#undef COUNTER
  for (int i = 0; i < SHK_OWN_COUNTERS && done->run->own_work[i][0] != '\0'; i++) {
    char name[SHK_OWN_NAME + 8];
    snprintf(name, sizeof name, "work-%s", done->run->own_work[i]);
    shk_outcome_add_count(outcome, name, counters->own[i]);
  }
  if (!done->run->adaptive)
    return;
  shk_series_to_single(shk_reduction_finish(&done->size, outcome, "step-size"));
  shk_series_to_single(shk_reduction_finish(&done->rejected, outcome, "rejected"));
}

const struct shk_measure shk_measure_work = {.size = sizeof(struct done),
                                             .create = work_create,
                                             .observe = work_observe,
                                             .finish = work_finish};
