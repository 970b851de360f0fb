/*
 * Cells with members: an ensemble of starts or parameters, everything else the same, run one after
 * the other in one process.
 *
 * A member is bound, run and measured exactly as a cell of its own is, so that it has the same
 * bits; what is saved is all that comes with a cell besides: a process, its place in the store, and
 * the timing, which is taken of the first member only.
 *
 * What the outcome of the cell says of all members:
 *
 *   code, reason  ok if every member is. Otherwise the first member that failed, rather than being
 *                 refused, gives both; the reason names it and counts the others. Refused only if
 *                 every member is; members refused beside others that ran are a failure (stopped).
 *   reached       the least
 *   n, m          the largest
 *   scalars       work-…: the mean over the members, what one of them costs. cpu-seconds: that of
 *                 the first member. Others: of the member where the size is largest, with its sign;
 *                 NaN if it is NaN in some member.
 *   series        over the intervals that all members share: least of the minima, mean of the
 *                 means, largest of the maxima
 *   samples       none
 *
 * It does not vectorize across members, and it does not go on from one member's solution to the
 * next: either would change the bits.
 */
#ifndef ENGINE_CELLS_MEMBERS_H
#define ENGINE_CELLS_MEMBERS_H

#include "engine/context.h"
#include "foundation/specifications/cell.h"
#include <shakedown/real.h>

#define shk_ensemble_cell SHK_NAME(shk_ensemble_cell)

/* As member run of struct shk_engine, for cells of kind "run" that have members. Members of any
 * other kind are a bad input. */
void shk_ensemble_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);

#endif
