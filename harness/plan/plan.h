/* The plan: a study expanded to its cells, including references. */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include "foundation/specifications/cell.h"
#include "harness/study/study.h"
#include "results/store/store.h"

enum {
  SHK_MOST_CELLS = 1000000,
  /* Of a cell if the study states none; references never have less. */
  SHK_DEFAULT_MEGABYTES = 2048
};

enum shk_role { SHK_ROLE_MEASURED, SHK_ROLE_REFERENCE, SHK_ROLE_REFERENCE_CHECK };

struct shk_planned {
  struct shk_cell cell; /* the first member. Its texts are the study's and the plan's: never clear
                           it, and keep only a copy (shk_cell_copy) */
  int run;              /* index into study->runs: the first run with this cell */
  unsigned long measures, named; /* bits of the measures of all runs with it; of those they name */
  enum shk_role role;
  int group; /* cells of one group share problem, start, horizon, sample times and reference */
  /* Limits, not part of the cell's identity. Seconds 0: by the cell's first steps. */
  double seconds, megabytes;
};

/* Returns the limit (s) for the first steps of a cell whose limit they determine: half a minute; two
 * minutes in quad, whose arithmetic takes 50 times as long; and ten for a method that chooses its
 * steps, as nobody knows how many it takes to the first sample time. */
double shk_plan_first_seconds(const struct shk_cell *cell);

struct shk_plan {
  const struct shk_context *context; /* the study's; the study must outlive the plan */
  int count, group_count;
  struct shk_planned *cells; /* by run, problem, integrator, precision, step; references first */
  int left_out; /* pairs in another precision than double, for integrators in double only */
  int excluded; /* pairs that the study excludes */
  /* Owners of texts that cells share. */
  int layout_count;
  struct shk_plan_layout *layouts;
  struct shk_plan_group *groups;
};

/* Expands the study; equal cells are planned once. Returns NULL with the reason: a step that is
 * longer than the horizon or does not divide it (with one near it that does), sample times that are
 * not multiples of the steps, more than 10⁶ cells, … plan.c and plan_times.c have the rules. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error);
void shk_plan_free(struct shk_plan *plan);

/* Opens the records of the plan's cells in a store, as shk_stored_records_open does. */
struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error);

#endif
