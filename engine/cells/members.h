/*
 * Cells with members: an ensemble of starts or parameters, everything else the same, run in one
 * process, one after the other.
 *
 * A member is bound, run and measured exactly as a cell of its own is, so that it has the same
 * bits; what is saved is the overhead of a cell: a process, its place in the store, and the timing,
 * which only the first member has.
 *
 * The cell's outcome summarizes all members:
 *
 *   code, reason  ok if every member is. Otherwise the first member that failed, rather than being
 *                 refused, gives both; the reason names it and counts the others. Refused only if
 *                 every member is; members refused beside others that ran are a failure (stopped).
 *   reached       the least
 *   n, m          the largest
 *   scalars       counts: the mean over the members, the cost of one. cpu-seconds: that of
 *                 the first member. Others: the value of largest size, with its sign; NaN if it is
 *                 NaN in some member.
 *   series        over the intervals that all members share: the least minimum, the mean of the
 *                 means, the largest maximum
 *   samples       none
 *
 * It does not go on from one member's solution to the next: that would change the bits.
 */
#ifndef ENGINE_CELLS_MEMBERS_H
#define ENGINE_CELLS_MEMBERS_H

#include "engine/context.h"
#include "foundation/specifications/cell.h"
#include <shakedown/real.h>

/* As member run of struct shk_engine, for cells of kind "run" that have members. Members of any
 * other kind are bad input. */
void shk_ensemble_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);

#endif
