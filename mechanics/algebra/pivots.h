/* Tests whether pivots are zero to within round-off. */
#ifndef MECHANICS_ALGEBRA_PIVOTS_H
#define MECHANICS_ALGEBRA_PIVOTS_H

#include <shakedown/parts/real.h>

/* A pivot is the remainder of a diagonal entry K_ii = |a_i|², where a_i is a row of G M^(-1/2),
 * after the part in the span of earlier rows is subtracted. If the remainder is at most this many
 * times K_ii's round-off, the row cannot be distinguished from a linearly dependent one in this
 * precision. */
#define SHK_PIVOT_ROUNDING 32

/* The reason to report if a pivot is zero. */
#define SHK_SINGULAR_MATRIX                                                                        \
  "the constraint matrix is singular (linear=qr and linear=svd accept redundant constraints)"

/* Returns true if all pivots of the LU factors (n x n, row-major) of a matrix with this diagonal
 * are above round-off. Each u_kk is compared with sqrt|K_rr K_kk|, where r is the row that was
 * moved to position k, so that the test does not depend on how the constraints are scaled. Always
 * returns true for n = 1. */
bool shk_lu_is_regular(const real *lu, const int *pivots, const real *diagonal, int n);

#endif
