/* Computes the horizon, steps and sample times of one problem in one run as exact numbers. This
 * header is private to harness/plan/. */
#ifndef HARNESS_PLAN_PLAN_TIMES_H
#define HARNESS_PLAN_PLAN_TIMES_H

#include "engine/engine.h"
#include "harness/study/study.h"

struct shk_plan_times {
  /* in descending order; empty if no integrator of the run uses fixed steps */
  struct shk_numbers steps;
  struct shk_numbers times; /* in ascending order; the last time is the horizon */
  long long *step_counts;   /* for each step size, the number of steps to each time */
};

struct shk_time_planner {
  const char *path; /* path of the study file, used in messages */
  const struct shk_study_run *run;
  const struct shk_cell *start; /* the problem and its start */
  const struct shk_inspection *inspection;
  /* true if any figure of the study draws states of this problem along the run */
  bool draws_path;
  /* true if the run has a fixed-step integrator that is not excluded for this problem */
  bool has_fixed_steps;
  struct shk_message *error;
  struct shk_decimal until; /* the horizon */
  struct shk_plan_times made;
};
/* Determines the times and steps. On failure, returns false, sets the reason, and leaves nothing
 * allocated. */
bool shk_plan_times_make(struct shk_time_planner *s);
void shk_plan_times_clear(struct shk_plan_times *times);

#endif
