/* linear=auto: selects a factorization based on the constraint graph. */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/graph.h"

/* Largest number of constraints for which dense LU is used. Larger problems use sparse factors if
 * they declare a sparsity pattern. */
#define DENSE_LIMIT 8

/* Largest number of constraints in a component that is factored as a block. Up to this size, blocks
 * cost no more than sparse factors and allow pivoting. With 8 constraints, fully coupled components
 * still break even, but chains run twice as fast with sparse factors (measured with shakedown-bench
 * blocks). */
#define BLOCK_LIMIT 3

static struct shk_status choose_auto(enum shk_linear_kind *kind, struct shk_workspace *workspace,
                                     const struct shk_evaluator *e)
{
  struct shk_partition components;
  *kind = SHK_LINEAR_LU;
  if (!e->system->row_start)
    return shk_ok();
  SHK_TRY(shk_components(&components, workspace, e));
  if (components.count > 1 && shk_partition_largest(&components) <= BLOCK_LIMIT)
    *kind = SHK_LINEAR_BLOCK;
  else if (e->system->m > DENSE_LIMIT)
    *kind = SHK_LINEAR_SPARSE;
  shk_give_back(components.start);
  return shk_ok();
}

const struct shk_factorization shk_auto_factorization = {.choose = choose_auto};
