/*
 * Solves systems with the constraint matrix K = G_a M⁻¹ G_bᵀ or G W Gᵀ when constraints may be
 * redundant. The systems are solved in the range of G_b, which is found by pivoted QR or from the
 * singular values of G_b M^(-1/2). The singular values of K would be the squares of those and
 * therefore less accurate. If H is not separable, M is replaced by 1, because redundancy does not
 * depend on the metric.
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_REDUNDANT_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_REDUNDANT_H

#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_redundant;

/* If `svd` is true, uses singular values, which give the minimum-norm multipliers. Otherwise uses
 * QR, which drops rows. */
struct shk_status shk_redundant_create(struct shk_redundant **redundant,
                                       struct shk_workspace *workspace,
                                       const struct shk_evaluator *e, bool svd);
/* Decomposes G_b. The functions below use this decomposition until the next call. Returns
 * SHK_NOT_FINITE if G_b is not finite, SHK_SINGULAR if it is zero, and SHK_NOT_CONVERGED if the
 * Jacobi sweeps do not converge. */
struct shk_status shk_redundant_basis(struct shk_redundant *redundant, const real *G_b);
/* Stores the k-th direction e_k (k < rank) of the last basis in out (m). The multipliers are then
 * lambda = Σ_k y_k e_k, and the remaining equations are e_kᵀ g = 0. */
void shk_redundant_direction(const struct shk_redundant *redundant, real *out, int k);
/* Returns the rank of the last basis. */
int shk_redundant_rank(const struct shk_redundant *redundant);

#endif
