/*
 * Which cells a reference is computed from (harness/references/reference.h says what is made of
 * their records).
 */
#ifndef HARNESS_PLAN_REFERENCE_CELLS_H
#define HARNESS_PLAN_REFERENCE_CELLS_H

#include "engine/engine.h"
#include "foundation/specifications/cell.h"
#include "harness/study/decimal.h"

/* The two runs of the reference integrator, in quad: the second is the reference, and their
 * difference its error bar. */
extern const struct shk_decimal shk_reference_check_tolerance, shk_reference_tolerance;

/* The cells of a reference: the best computation, the one that it is compared with, and the
 * independent ones. */
enum {
  SHK_REFERENCE_BEST,
  SHK_REFERENCE_AGAINST,
  SHK_REFERENCE_COMPOSITION,
  SHK_REFERENCE_RADAU5,
  SHK_REFERENCE_IDA,
  SHK_REFERENCE_CELLS
};

/* Whether the reference integrator does not apply and steps of a composition take its place:
 * constraints that depend on momenta have no index-reduced form. */
bool shk_reference_needs_steps(const struct shk_inspection *inspection, bool exact);

/* Then the reference is a composition of RATTLE of order 10 in quad. Returns its specification, for
 * the caller to free, and adds two steps: one that is no longer than this part of the time scale and
 * divides the times, for the check, and half of it. NULL with the reason, nothing added. */
char *shk_reference_by_steps(const struct shk_context *context, struct shk_numbers *steps,
                             const struct shk_numbers *times, const char *problem,
                             const struct shk_inspection *inspection, int steps_per_time_scale,
                             struct shk_message *error);

/* Fills the cells (to be cleared with shk_cell_clear each) from one that has problem and start, until
 * the last of these times. With a start of its own the exact solution is not known. False with the
 * reason. */
bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_numbers *times, const struct shk_inspection *inspection,
                         struct shk_message *error);

#endif
