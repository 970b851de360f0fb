/*
 * Computes a system's chain of hidden constraints and its differentiation index numerically (Gear,
 * SIAM J. Sci. Stat. Comput. 9 (1988) 39; Brenan, Campbell & Petzold, Numerical Solution of
 * Initial-Value Problems in DAEs, §2.5), for z' = f(z,lambda,t), 0 = g(z,t), z = (q,p).
 *
 * K differentiations of g yield conditions on (q,p) and may leave directions of motion
 * undetermined. If no undetermined direction is left, the next differentiation determines lambda',
 * and the index is K + 1. The index is 3 if G M⁻¹ Gᵀ is regular. If undetermined directions remain
 * and further differentiations change neither number, lambda is never determined, and there are
 * infinitely many solutions. The multipliers of redundant constraints are not unique, but Gᵀlambda
 * is. A system with redundant constraints has the index of the reduced system.
 *
 * The index is available in quadruple precision only. Singular values are classified as zero or
 * nonzero with a gap of four powers of ten between the two classes. A value within this gap leaves
 * the index undecided.
 */
#ifndef MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H
#define MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H

#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/results.h"
#include <shakedown/system.h>

/* Maximum number of unknowns in the array, which is 2n + m SHK_CHAIN_LEVELS. */
#define SHK_CHAIN_LIMIT 130

/* Finds the chain of hidden constraints of g, excluding velocity constraints, at (q,p) or at a
 * consistent point nearby. `floors` contains the sizes of the motion. Returns SHK_REFUSED if the
 * precision is not quad, if there are no constraints, or if the number of unknowns exceeds the
 * limit. Returns SHK_NOT_CONVERGED if no consistent point was found. */
struct shk_status shk_chain_find(struct shk_chain *chain, const struct shk_floors *floors, real t,
                                 const real *q, const real *p);

#endif
