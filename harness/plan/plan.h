/* The plan of a study, that is, the cells into which the study expands, including references. */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include "foundation/specifications/cell.h"
#include "harness/study/study.h"
#include "results/store/store.h"

enum {
  SHK_MOST_CELLS = 1000000,
  /* Memory limit for a cell if the study does not set one. References always get at least this
   * much. */
  SHK_DEFAULT_MEGABYTES = 2048
};

enum shk_role { SHK_ROLE_MEASURED, SHK_ROLE_REFERENCE, SHK_ROLE_REFERENCE_CHECK };

struct shk_planned {
  /* This must be the first member. The cell's strings belong to the study and the plan, so the cell
   * must never be cleared. Use shk_cell_copy to make an independent copy. */
  struct shk_cell cell;
  int run; /* the index, in study->runs, of the first run that contains this cell */
  /* bit masks of the measures of all runs that contain this cell, and of the measures that these
   * runs name explicitly */
  unsigned long measures, named;
  enum shk_role role;
  int group; /* cells in a group share their problem, start, horizon, sample times and reference */
  /* Limits on time and memory; these are not part of the cell's identity. If `seconds` is 0, the
   * time limit is determined by the cell's first steps. */
  double seconds, megabytes;
};

/* Returns the time limit, in seconds, for the first steps of a cell whose overall limit is
 * determined by these steps. The limit is half a minute in double and two minutes in quad, where
 * arithmetic takes 50 times as long. For a method that chooses its own steps, the limit is ten
 * minutes, because the number of steps needed to reach the first sample time is unknown. */
double shk_plan_first_seconds(const struct shk_cell *cell);

struct shk_plan {
  const struct shk_context *context; /* the study's context; the study must outlive the plan */
  int count, group_count;
  /* sorted by run, problem, integrator, precision and step, with references first */
  struct shk_planned *cells;
  /* number of pairs omitted because the integrator does not exist in the requested precision */
  int left_out;
  int excluded; /* number of pairs that the study excludes */
  /* The following members own the strings that cells share. */
  int layout_count;
  struct shk_plan_layout *layouts;
  struct shk_plan_group *groups;
};

/* Expands a study into cells, using the rules in plan.c and plan_times.c. Equal cells are planned
 * only once. On failure, returns NULL and sets the reason. For example, a step may be longer than
 * the horizon or may not divide it, in which case the reason states the nearest step that does.
 * Planning also fails if a sample time is not a multiple of a step or if there are more than 10⁶
 * cells. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error);
void shk_plan_free(struct shk_plan *plan);

/* Like shk_stored_records_open, but opens the records of the plan's cells in a store. */
struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error);

#endif
