/*
 * The cells from which a reference is computed. Their records are evaluated in
 * harness/references/reference.h.
 */
#ifndef HARNESS_PLAN_REFERENCE_CELLS_H
#define HARNESS_PLAN_REFERENCE_CELLS_H

#include "engine/engine.h"
#include "foundation/specifications/cell.h"
#include "harness/study/decimal.h"

/* Tolerances for the two quad-precision runs of the reference integrator. The second run is the
 * reference, and the difference between the two runs is its error bar. */
extern const struct shk_numbers shk_reference_tolerances;

/* The cells of a reference. BEST is the exact solution or, if none is known, extrapolation
 * (integrators/reference.c) with the tightest tolerance that quad allows. It is compared with
 * extrapolation using other settings and displaced starts, with compositions at two step sizes, and
 * with solvers in double. */
enum {
  SHK_REFERENCE_BEST,
  SHK_REFERENCE_AGAINST,
  SHK_REFERENCE_LONGER,
  SHK_REFERENCE_NUDGED,
  SHK_REFERENCE_NUDGED_AGAIN,
  SHK_REFERENCE_COMPOSITION,
  SHK_REFERENCE_COARSER, /* the composition with twice the step */
  SHK_REFERENCE_RADAU5,
  SHK_REFERENCE_IDA,
  SHK_REFERENCE_CELLS
};
/* Nominal magnitude of the displacement of a start. */
extern const double shk_reference_nudge;

/* Sets `count` sample times of a cell, starting at index `first` of the list. The list still owns
 * the times. The last time becomes the cell's horizon. */
void shk_set_times(struct shk_cell *cell, const struct shk_numbers *times, int first, int count);

/* Fills the cells of a reference with the given sample times. `like` contains the problem and the
 * start; if the start is explicit, no exact solution is known. Extrapolations are also sampled a
 * little before each of the times. Clear each cell with shk_cell_clear. On failure, returns false
 * and sets the reason. */
bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_numbers *times, const struct shk_inspection *inspection,
                         struct shk_message *error);

#endif
