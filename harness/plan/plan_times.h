/* Horizon, steps and sample times of one problem in one run, exactly. Private to the plan. */
#ifndef HARNESS_PLAN_PLAN_TIMES_H
#define HARNESS_PLAN_PLAN_TIMES_H

#include "engine/engine.h"
#include "harness/study/study.h"

struct shk_schedule {
  struct shk_numbers steps; /* largest first; none if the run has no integrator with fixed steps */
  struct shk_numbers times; /* ascending, the last is the horizon */
};

/* Makes the schedule. Returns false with the reason, and nothing allocated. `path` is the study's,
 * for messages. */
bool shk_schedule_make(struct shk_schedule *schedule, const char *path,
                       const struct shk_study_run *run, bool has_fixed_steps,
                       const struct shk_inspection *inspection, const char *problem,
                       bool has_members, struct shk_message *error);
void shk_schedule_clear(struct shk_schedule *schedule);

#endif
