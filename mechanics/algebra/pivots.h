/* When a pivot counts as zero. */
#ifndef MECHANICS_ALGEBRA_PIVOTS_H
#define MECHANICS_ALGEBRA_PIVOTS_H

#include <shakedown/real.h>

/* A pivot is the rest of a diagonal entry K_ii = |a_i|² (a_i a row of G M^(-1/2)) once the part
 * that lies in the rows before it is subtracted. At this many units of K_ii's own round-off or
 * fewer, the row depends on the others as far as this precision can tell. */
#define SHK_PIVOT_ROUNDING 32

/* The reason of the failure. */
#define SHK_SINGULAR_MATRIX                                                                        \
  "the constraint matrix is singular (linear=qr and svd take redundant constraints)"

/* Whether the LU factors of a matrix (n x n by rows) with this diagonal have only pivots above
 * round-off. Row exchanges and the scales of the constraints are taken into account: u_kk is
 * compared with sqrt|K_rr K_kk|, r being the row that became row k. */
bool shk_lu_is_regular(const real *lu, const int *pivots, const real *diagonal, int n);

#endif
