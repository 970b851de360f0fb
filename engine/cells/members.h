/*
 * Cells with lanes: an ensemble of starts or parameters, everything else the same, run one after
 * the other in one process.
 *
 * A lane is bound, run and measured exactly as a cell of its own is, so that it has the same bits;
 * what is saved is all that comes with a cell besides: a process, its place in the store, and the
 * timing, which is taken of the first lane only.
 *
 * What the outcome of the cell says of all lanes:
 *
 *   code, reason  ok if every lane is. Otherwise the first lane that failed, rather than being
 *                 refused, gives both; the reason names it and counts the others. Refused only if
 *                 every lane is; lanes refused beside others that ran are a failure (stopped).
 *   reached       the least
 *   n, m          the largest
 *   scalars       work-…: the mean over the lanes, what one of them costs. cpu-seconds: that of the
 *                 first lane. Others: of the lane where the size is largest, with its sign; NaN if
 *                 it is NaN in some lane.
 *   series        over the intervals that all lanes share: least of the minima, mean of the means,
 *                 largest of the maxima
 *   samples       none
 *
 * It does not vectorize across lanes, and it does not go on from one lane's solution to the next:
 * either would change the bits.
 */
#ifndef ENGINE_CELLS_MEMBERS_H
#define ENGINE_CELLS_MEMBERS_H

#include "foundation/specifications/cell.h"
#include <shakedown/real.h>

#define shk_lanes_cell SHK_NAME(shk_lanes_cell)

/* As member run of struct shk_engine, for cells of kind "run" that have lanes. Lanes of any other
 * kind are a bad input. */
void shk_lanes_cell(struct shk_outcome *outcome, const struct shk_cell *cell);

#endif
