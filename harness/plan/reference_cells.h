/*
 * The cells from which a reference is computed. harness/references/reference.h evaluates their
 * records.
 */
#ifndef HARNESS_PLAN_REFERENCE_CELLS_H
#define HARNESS_PLAN_REFERENCE_CELLS_H

#include "engine/engine.h"
#include "foundation/specifications/cell.h"
#include "harness/study/decimal.h"

/* Tolerances of the two runs of the reference integrator in quad. The second run is the reference,
 * and the difference between the two is its error bar. */
extern const struct shk_numbers shk_reference_tolerances;

/* Cells of a reference. BEST is the exact solution or, if none is known, extrapolation
 * (integrators/reference.c) with a tolerance as tight as quad allows. It is compared with
 * extrapolation at other settings and from displaced starts, with compositions at two steps, and
 * with solvers in double. */
enum {
  SHK_REFERENCE_BEST,
  SHK_REFERENCE_AGAINST,
  SHK_REFERENCE_LONGER,
  SHK_REFERENCE_NUDGED,
  SHK_REFERENCE_NUDGED_AGAIN,
  SHK_REFERENCE_COMPOSITION,
  SHK_REFERENCE_COARSER, /* the composition at twice that step */
  SHK_REFERENCE_RADAU5,
  SHK_REFERENCE_IDA,
  SHK_REFERENCE_CELLS
};
/* Nominal size of the displacement of a start. */
extern const double shk_reference_nudge;

/* Sets `count` sample times of a cell from the list, which remains the owner of the times. The last
 * time becomes the cell's horizon. */
void shk_set_times(struct shk_cell *cell, const struct shk_numbers *times, int first, int count);

/* Fills the cells with these sample times, given a cell that contains the problem and the start.
 * Extrapolations are also sampled a little before each of the times. If the start is explicit, no
 * exact solution is known. Clear each cell with shk_cell_clear. On failure returns false and sets
 * the reason. */
bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_numbers *times, const struct shk_inspection *inspection,
                         struct shk_message *error);

#endif
