/* The plan of a study, which is expanded to its cells, including references. */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include "foundation/specifications/cell.h"
#include "harness/study/study.h"
#include "results/store/store.h"

enum {
  SHK_MOST_CELLS = 1000000,
  /* Limit for a cell if the study states none. References always get at least this much. */
  SHK_DEFAULT_MEGABYTES = 2048
};

enum shk_role { SHK_ROLE_MEASURED, SHK_ROLE_REFERENCE, SHK_ROLE_REFERENCE_CHECK };

struct shk_planned {
  /* This is the first member. Its texts belong to the study and the plan, so it must never be
   * cleared. Use shk_cell_copy to keep a copy of it. */
  struct shk_cell cell;
  int run; /* index in study->runs of the first run with this cell */
  /* bits of the measures of all runs with this cell, and of the measures that these runs name */
  unsigned long measures, named;
  enum shk_role role;
  int group; /* cells of one group share problem, start, horizon, sample times and reference */
  /* Limits, which are not part of the cell's identity. If `seconds` is 0, the cell's first steps
   * determine the time limit. */
  double seconds, megabytes;
};

/* Returns the time limit, in seconds, for the first steps of a cell whose first steps determine its
 * limit. It is half a minute, or two minutes in quad, where arithmetic takes 50 times as long. It
 * is ten minutes for a method that chooses its steps, because nobody knows how many steps it needs
 * to reach the first sample time. */
double shk_plan_first_seconds(const struct shk_cell *cell);

struct shk_plan {
  const struct shk_context *context; /* the study's context; the study must outlive the plan */
  int count, group_count;
  /* sorted by run, problem, integrator, precision and step; references come first */
  struct shk_planned *cells;
  int left_out; /* pairs in a precision other than double whose integrator exists in double only */
  int excluded; /* number of pairs that the study excludes */
  /* These own the texts that cells share. */
  int layout_count;
  struct shk_plan_layout *layouts;
  struct shk_plan_group *groups;
};

/* Expands the study. Equal cells are planned only once. On failure returns NULL and sets the
 * reason. For example, a step may be longer than the horizon or may not divide it (the reason then
 * gives the nearest step that does), sample times may not be multiples of the steps, or there may
 * be more than 10⁶ cells. plan.c and plan_times.c contain the rules. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error);
void shk_plan_free(struct shk_plan *plan);

/* Opens the records of the plan's cells in a store, like shk_stored_records_open. */
struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error);

#endif
