/*
 * Whether a constrained Hamiltonian system determines its multipliers at a point: nondegeneracy,
 * N = {{H,g_i},g_j} invertible but for redundant constraints, and coisotropy, {g_i,g_j} = 0.
 *
 * For holonomic g, N = G H_pp Gᵀ. Where rows of G depend on each other N is singular with them, the
 * motion is determined all the same, and nothing is wrong; where N has a smaller rank than G has,
 * further constraints follow from the hidden ones, or the multipliers are undetermined. H_pp is
 * positive definite where H = ½ pᵀM(q)⁻¹p + V(q): there is nothing to find.
 */
#ifndef MECHANICS_POSED_H
#define MECHANICS_POSED_H

#include <shakedown/solve.h>

#define shk_posed_at SHK_NAME(shk_posed_at)

/* SHK_REFUSED with what is wrong at (t,q,p), or ok. Systems beyond SHK_RANK_LIMIT constraints whose
 * Hamiltonian is general are SHK_BAD_INPUT. */
struct shk_status shk_posed_at(struct shk_manifold *manifold, struct shk_evaluator *evaluator,
                               real t, const real *q, const real *p);

#endif
