/*
 * Whether a constrained Hamiltonian system determines its multipliers at a point: nondegeneracy,
 * N = {{H,g_i},g_j} invertible but for redundant constraints, and coisotropy, {g_i,g_j} = 0.
 *
 * For holonomic g, N = G H_pp Gᵀ. Where rows of G are dependent N is singular, too, but the motion
 * is determined and nothing is wrong; where N has a smaller rank than G, further constraints follow
 * from the hidden ones, or the multipliers are undetermined. Where H = ½ pᵀM(q)⁻¹p + V(q), H_pp is
 * positive definite and nothing can be wrong.
 */
#ifndef MECHANICS_DIAGNOSIS_WELL_POSED_H
#define MECHANICS_DIAGNOSIS_WELL_POSED_H

#include <shakedown/solve.h>

/* Up to this many constraints a run of a general H is watched for folds. */
#define SHK_FOLDS_LIMIT 32

/* SHK_REFUSED with the fault at (t,q,p), or ok. Systems beyond SHK_RANK_LIMIT constraints whose
 * Hamiltonian is general are SHK_BAD_INPUT. */
struct shk_status shk_well_posed_at(struct shk_manifold *manifold, struct shk_evaluator *evaluator,
                                    real t, const real *q, const real *p);

/* Folds of the hidden constraint of a general H with constraints g(q): N = G H_pp Gᵀ may become
 * singular on the way where H_pp is indefinite or depends on the state, and past that point only
 * the sign of an eigenvalue shows it. */
struct shk_folds; /* workspace */

/* For H without a mass matrix of its own (whose H_pp is positive definite, so that there are no
 * folds) and at most SHK_FOLDS_LIMIT constraints. */
struct shk_status shk_folds_create(struct shk_folds **folds, struct shk_workspace *workspace,
                                   struct shk_evaluator *evaluator);
/* The numbers of eigenvalues of N at (t,q,p) that are negative and positive by more than
 * round-off. */
struct shk_status shk_folds_signs(struct shk_folds *folds, int *negative, int *positive, real t,
                                  const real *q, const real *p);

#endif
