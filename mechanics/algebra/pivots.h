/* The test for zero pivots. */
#ifndef MECHANICS_ALGEBRA_PIVOTS_H
#define MECHANICS_ALGEBRA_PIVOTS_H

#include <shakedown/parts/real.h>

/* A pivot is what remains of a diagonal entry K_ii = |a_i|² (a_i is a row of G M^(-1/2)) after its
 * part in the span of earlier rows is subtracted. If it is at most this many units of K_ii's
 * round-off, the row depends on the others as far as this precision can tell. */
#define SHK_PIVOT_ROUNDING 32

/* The reason that the failure gives. */
#define SHK_SINGULAR_MATRIX                                                                        \
  "the constraint matrix is singular (linear=qr and linear=svd accept redundant constraints)"

/* Returns true if all pivots of the LU factors of a matrix (n x n by rows) with this diagonal are
 * above round-off. u_kk is compared with sqrt|K_rr K_kk|, where row r was exchanged into place k,
 * so that the scales of the constraints do not matter. Always true for n = 1. */
bool shk_lu_is_regular(const real *lu, const int *pivots, const real *diagonal, int n);

#endif
