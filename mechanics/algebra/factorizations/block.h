/* The failure of linear=block, which is one of a component. */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_BLOCK_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_BLOCK_H

#include <shakedown/status.h>

/* The failure of a component that begins with this row. */
static inline struct shk_status shk_block_singular(int row)
{
  return shk_failure(SHK_SINGULAR,
                     "the block of the constraint matrix that begins with row %g is singular", row,
                     0);
}

#endif
