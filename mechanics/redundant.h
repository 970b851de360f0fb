/*
 * The constraint matrix K = G_a M⁻¹ G_bᵀ where constraints may be redundant: solved in the range
 * that G_b leaves, found by pivoted QR or by singular values of G_b M^(-1/2), not of K, which would
 * square them.
 */
#ifndef MECHANICS_REDUNDANT_H
#define MECHANICS_REDUNDANT_H

#include <shakedown/system.h>

struct shk_redundant;

#define shk_redundant_create SHK_NAME(shk_redundant_create)
#define shk_redundant_destroy SHK_NAME(shk_redundant_destroy)
#define shk_redundant_basis SHK_NAME(shk_redundant_basis)
#define shk_redundant_factor SHK_NAME(shk_redundant_factor)
#define shk_redundant_solve SHK_NAME(shk_redundant_solve)
#define shk_redundant_rank SHK_NAME(shk_redundant_rank)

/* svd: minimum-norm multipliers by singular values; else by QR, dropping rows. */
struct shk_status shk_redundant_create(struct shk_redundant **redundant,
                                       const struct shk_evaluator *e, bool svd);
void shk_redundant_destroy(struct shk_redundant *redundant);
/* Decomposes G_b: what the other calls go by until the next. SHK_SINGULAR if it is not finite or
 * has nothing but zeros, SHK_NOT_CONVERGED if Jacobi's sweeps do not end. */
struct shk_status shk_redundant_basis(struct shk_redundant *redundant, const real *G_b);
/* Factors K within the range found; NULL: G_a is the G_b of the basis. */
struct shk_status shk_redundant_factor(struct shk_redundant *redundant, const real *G_a);
/* x (m) <- the solution y of K y = x, with as many equations as the rank is. Uses scratch. */
void shk_redundant_solve(struct shk_redundant *redundant, real *x);
/* Of the last basis. */
int shk_redundant_rank(const struct shk_redundant *redundant);

#endif
