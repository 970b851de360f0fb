/*
 * The sparse constraint matrix K = G_a M⁻¹ G_bᵀ and its factors K = L D U without pivoting, in the
 * order of AMD (Amestoy, Davis & Duff 1996); L D Lᵀ when K is symmetric (G_a is G_b).
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_SPARSE_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_SPARSE_H

#include <shakedown/system.h>

struct shk_sparse;

#define shk_sparse_create SHK_NAME(shk_sparse_create)
#define shk_sparse_destroy SHK_NAME(shk_sparse_destroy)
#define shk_sparse_factor SHK_NAME(shk_sparse_factor)
#define shk_sparse_solve SHK_NAME(shk_sparse_solve)
#define shk_sparse_memory SHK_NAME(shk_sparse_memory)

/* All symbolic work: which products make up each entry, the order, the elimination tree and the
 * factors' pattern. */
struct shk_status shk_sparse_create(struct shk_sparse **sparse, const struct shk_evaluator *e);
void shk_sparse_destroy(struct shk_sparse *sparse);
/* Assembles and factors from Jacobian values; SHK_SINGULAR at a pivot that is
 * zero to round-off or not finite. */
struct shk_status shk_sparse_factor(struct shk_sparse *sparse, const real *G_a, const real *G_b);
/* x (m) <- K⁻¹ x. Uses scratch of *sparse. */
void shk_sparse_solve(struct shk_sparse *sparse, real *x);
/* Bytes held. */
size_t shk_sparse_memory(const struct shk_sparse *sparse);

#endif
