/*
 * Conditions under which a constrained Hamiltonian system determines its multipliers at a point:
 * nondegeneracy, N = {{H,g_i},g_j} invertible except for redundant constraints, and coisotropy,
 * {g_i,g_j} = 0.
 *
 * For holonomic g, N = G H_pp Gᵀ. If rows of G are dependent, N is singular too, but the motion is
 * determined. If the rank of N is smaller than that of G, either the hidden constraints imply
 * additional ones, or the multipliers are undetermined. For H = ½ pᵀM(q)⁻¹p + V(q), H_pp is
 * positive definite, and the conditions hold.
 */
#ifndef MECHANICS_DIAGNOSIS_WELL_POSED_H
#define MECHANICS_DIAGNOSIS_WELL_POSED_H

#include <shakedown/bind.h>

/* Largest number of constraints for which folds are detected when H is general. */
#define SHK_FOLDS_LIMIT 32

/* Returns ok if the conditions hold at (t,q,p). Otherwise, returns SHK_REFUSED with a description
 * of the fault. Returns SHK_BAD_INPUT for a general Hamiltonian with more than SHK_RANK_LIMIT
 * constraints. */
struct shk_status shk_well_posed_at(struct shk_manifold *manifold, struct shk_evaluator *evaluator,
                                    real t, const real *q, const real *p);

/* Detects folds of the hidden constraint for a general H with constraints g(q). If H_pp is
 * indefinite or depends on the state, N = G H_pp Gᵀ may become singular during the motion. Once a
 * step has passed such a point, only the sign change of an eigenvalue reveals this. */
struct shk_folds; /* workspace */

/* Folds are detected only if H has no `mass_matrix` and there are at most SHK_FOLDS_LIMIT
 * constraints. With a mass matrix, H_pp is positive definite, so there are no folds. */
struct shk_status shk_folds_create(struct shk_folds **folds, struct shk_workspace *workspace,
                                   struct shk_evaluator *evaluator);
/* Counts the negative and the positive eigenvalues of N at (t,q,p), excluding those that are zero
 * to within round-off. */
struct shk_status shk_folds_signs(struct shk_folds *folds, int *negative, int *positive, real t,
                                  const real *q, const real *p);

#endif
