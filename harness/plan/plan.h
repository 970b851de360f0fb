/* The plan: a study expanded to its cells, including references. */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include "foundation/specifications/cell.h"
#include "harness/study/study.h"
#include "results/store/store.h"

enum {
  SHK_MOST_CELLS = 1000000,
  /* Limit for a cell if the study states none. References never get less. */
  SHK_DEFAULT_MEGABYTES = 2048
};

enum shk_role { SHK_ROLE_MEASURED, SHK_ROLE_REFERENCE, SHK_ROLE_REFERENCE_CHECK };

struct shk_planned {
  /* the first member. Its texts belong to the study and the plan: never clear it, and to keep it,
   * copy it with shk_cell_copy */
  struct shk_cell cell;
  int run; /* index in study->runs of the first run with this cell */
  /* bits of the measures of all runs with this cell, and of those that the runs name */
  unsigned long measures, named;
  enum shk_role role;
  int group; /* cells of one group share problem, start, horizon, sample times and reference */
  /* Limits, which are not part of the cell's identity. If seconds is 0, the cell's first steps
   * determine the limit. */
  double seconds, megabytes;
};

/* Returns the limit, in seconds, for the first steps of a cell if these determine its limit:
 * half a minute; two minutes in quad, whose arithmetic takes 50 times as long; and ten minutes
 * for a method that chooses its steps, because nobody knows how many it takes to the first
 * sample time. */
double shk_plan_first_seconds(const struct shk_cell *cell);

struct shk_plan {
  const struct shk_context *context; /* the study's context; the study must outlive the plan */
  int count, group_count;
  /* sorted by run, problem, integrator, precision and step; references come first */
  struct shk_planned *cells;
  int left_out; /* pairs in a precision other than double whose integrator exists in double only */
  int excluded; /* pairs that the study excludes */
  /* Owners of the texts that cells share. */
  int layout_count;
  struct shk_plan_layout *layouts;
  struct shk_plan_group *groups;
};

/* Expands the study; equal cells are planned once. Returns NULL and sets the reason if, for
 * example, a step is longer than the horizon or does not divide it (with the nearest one that
 * does), if sample times are not multiples of the steps, or if there are more than 10⁶ cells.
 * plan.c and plan_times.c contain the rules. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error);
void shk_plan_free(struct shk_plan *plan);

/* Opens the records of the plan's cells in a store, as shk_stored_records_open does. */
struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error);

#endif
