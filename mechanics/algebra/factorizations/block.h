/* The constraint matrix K = G_a M⁻¹ G_bᵀ by connected components of the constraint graph: one small
 * dense LU with partial pivoting each. */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_BLOCK_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_BLOCK_H

#include "mechanics/algebra/graph.h"

struct shk_blocks;

#define shk_blocks_create SHK_NAME(shk_blocks_create)
#define shk_blocks_destroy SHK_NAME(shk_blocks_destroy)
#define shk_blocks_factor SHK_NAME(shk_blocks_factor)
#define shk_blocks_solve SHK_NAME(shk_blocks_solve)
#define shk_blocks_singular SHK_NAME(shk_blocks_singular)

/* Takes over the components, cleared with the blocks or, on failure, at once. */
struct shk_status shk_blocks_create(struct shk_blocks **blocks, const struct shk_evaluator *e,
                                    struct shk_partition *components);
void shk_blocks_destroy(struct shk_blocks *blocks);
/* Assembles and factors from Jacobian values; SHK_SINGULAR at a pivot that is zero to round-off or
 * not finite. */
struct shk_status shk_blocks_factor(struct shk_blocks *blocks, const real *G_a, const real *G_b);
/* x (m) <- K⁻¹ x. Uses scratch of *blocks. */
void shk_blocks_solve(struct shk_blocks *blocks, real *x);
/* The failure of a component that begins with this row. */
struct shk_status shk_blocks_singular(int row);

#endif
