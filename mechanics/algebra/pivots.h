/* When a pivot is taken for zero. */
#ifndef MECHANICS_ALGEBRA_PIVOTS_H
#define MECHANICS_ALGEBRA_PIVOTS_H

#include <shakedown/real.h>

/* A pivot is what is left of a diagonal entry K_ii = |a_i|² (a_i a row of G M^(-1/2)) once the part
 * that the rows before it explain is taken away. Left with this many units of K_ii's own round-off
 * or fewer, the row is dependent on the others as far as this precision can tell. */
#define SHK_PIVOT_ROUNDING 32

/* What a failure says of it. */
#define SHK_SINGULAR_MATRIX                                                                        \
  "the constraint matrix is singular (linear=qr and svd take redundant constraints)"

/* Whether the LU factors of a matrix (n x n by rows) with this diagonal have only pivots above
 * round-off. Row exchanges are taken into account, and the scales of the constraints: the measure
 * of u_kk is sqrt|K_rr K_kk| with r the row that became row k. */
#define shk_lu_is_regular SHK_NAME(shk_lu_is_regular)
bool shk_lu_is_regular(const real *lu, const int *pivots, const real *diagonal, int n);

#endif
