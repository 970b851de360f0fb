/*
 * The plan: a study expanded to its cells, including references.
 */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include "foundation/specifications/cell.h"
#include "harness/study/study.h"

enum {
  SHK_MOST_CELLS = 1000000,
  /* Limits of a cell for which the study states none; references never have less. */
  SHK_DEFAULT_SECONDS = 600,
  SHK_DEFAULT_MEGABYTES = 2048
};

enum shk_role { SHK_ROLE_MEASURED, SHK_ROLE_REFERENCE, SHK_ROLE_REFERENCE_CHECK };

struct shk_planned {
  struct shk_cell cell; /* the plan's: copy it (shk_cell_copy) to keep it, never clear it */
  int run;              /* index into study->runs: the first that asks for it */
  enum shk_role role;
  int group; /* cells of one group share problem, start, horizon and sample times: errors
                are taken against the group's reference */
  double seconds, megabytes; /* limits; not part of the cell's identity */
};

struct shk_plan_memory;

struct shk_plan {
  const struct shk_context *context; /* of the study, which outlives the plan */
  int count, group_count;
  struct shk_planned *cells; /* in the order of the study: runs, problems, integrators, precisions,
                                steps; a group's references first */
  int left_out; /* triples of problem, integrator and quad that an integrator of double precision
                   only cannot give */
  int excluded; /* pairs that the study excludes */
  struct shk_plan_memory *memory; /* of the cells' texts, which cells share */
};

/* Expands the study. Cells that occur twice are planned once. NULL with the reason: a step that is
 * longer than the horizon or no divisor of it (with the nearest that is), sample times that are no
 * multiples of the steps, more than 10⁶ cells, …
 *
 * Horizons: a natural one is the problem's, rounded to 3 digits, or to a multiple of the run's
 * steps where it lists them. Natural steps: horizon/N, horizon/2N, … horizon/64N with N of the form
 * 2^a 5^b nearest to 10 steps a time scale. Sample times by default: the multiples of the least
 * common multiple of the steps (200 even ones without steps), thinned to at most 200, 16 where
 * there are members, and two more: one near 0.618 of the horizon and the horizon.
 *
 * Files that problems name are found from the study's folder (foundation/files/folder.h).
 *
 * Measures of structure (defects.h) have cells of their own kind: one for each step, whose end is
 * that step. Regularity (crossings.h) has cells of its own too, as long as the runs. Where nothing
 * else is measured there are no runs.
 *
 * References (only where errors are measured): the exact solution, if there is one and the start is
 * the problem's own, otherwise the reference integrator at two tolerances, the check first; where
 * it does not apply, since constraints depend on momenta, a composition of RATTLE of order 10 at
 * two steps. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error);
void shk_plan_free(struct shk_plan *plan);

#endif
