/*
 * The chain of hidden constraints of a system and its differentiation index, computed numerically
 * (Gear, SIAM J. Sci. Stat. Comput. 9 (1988) 39; Brenan, Campbell & Petzold, Numerical Solution of
 * Initial-Value Problems in DAEs, §2.5), for z' = f(z,lambda,t), 0 = g(z,t), z = (q,p).
 *
 * K differentiations of g give conditions on (q,p) and leave directions of motion undetermined. If
 * none is left, the next differentiation determines lambda', and the index is K + 1: 3 where
 * G M⁻¹ Gᵀ is regular. If neither number changes any more and directions are left, lambda is never
 * determined: there are infinitely many solutions. Multipliers of redundant constraints are not
 * unique, but Gᵀlambda is; such a system has the index of the reduced one.
 *
 * In quadruple precision only. Rank decisions have a gap of four powers of ten: singular values in
 * it leave the index undecided.
 */
#ifndef MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H
#define MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H

#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/results.h"
#include <shakedown/system.h>

/* Limit of the unknowns of the array, 2n + m SHK_CHAIN_LEVELS. */
#define SHK_CHAIN_LIMIT 130

/* Finds the chain of the constraints g, excluding velocity constraints, at (q,p) or at a consistent point nearby; the floors have the sizes of the motion. SHK_REFUSED: not in quad, no constraints,
 * or beyond the limit; SHK_NOT_CONVERGED: no consistent point was found. */
struct shk_status shk_chain_find(struct shk_chain *chain, const struct shk_floors *floors, real t,
                                 const real *q, const real *p);

#endif
