/*
 * Conditions under which a constrained Hamiltonian system determines its multipliers at a point:
 * nondegeneracy, N = {{H,g_i},g_j} invertible except for redundant constraints, and coisotropy,
 * {g_i,g_j} = 0.
 *
 * For holonomic g, N = G H_pp Gᵀ. If rows of G are dependent, N is singular too, but the motion is
 * determined. If N has a smaller rank than G, further constraints follow from the
 * hidden ones, or the multipliers are undetermined. For H = ½ pᵀM(q)⁻¹p + V(q), H_pp is positive
 * definite, and the conditions hold.
 */
#ifndef MECHANICS_DIAGNOSIS_WELL_POSED_H
#define MECHANICS_DIAGNOSIS_WELL_POSED_H

#include <shakedown/bind.h>

/* Limit of constraints for the detection of folds in a run of a general H. */
#define SHK_FOLDS_LIMIT 32

/* Returns ok, or SHK_REFUSED with the fault at (t,q,p). SHK_BAD_INPUT for a general Hamiltonian
 * with more than SHK_RANK_LIMIT constraints. */
struct shk_status shk_well_posed_at(struct shk_manifold *manifold, struct shk_evaluator *evaluator,
                                    real t, const real *q, const real *p);

/* Folds of the hidden constraint of a general H with constraints g(q). If H_pp is indefinite or
 * depends on the state, N = G H_pp Gᵀ may become singular on the way; past such a point only the
 * sign of an eigenvalue shows it. */
struct shk_folds; /* workspace */

/* For H without `mass_matrix` (with one, H_pp is positive definite and there are no folds) and at
 * most SHK_FOLDS_LIMIT constraints. */
struct shk_status shk_folds_create(struct shk_folds **folds, struct shk_workspace *workspace,
                                   struct shk_evaluator *evaluator);
/* Counts the eigenvalues of N at (t,q,p) that are negative, and positive, by more than
 * round-off. */
struct shk_status shk_folds_signs(struct shk_folds *folds, int *negative, int *positive, real t,
                                  const real *q, const real *p);

#endif
