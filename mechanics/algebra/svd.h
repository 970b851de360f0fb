/* Singular values and vectors by one-sided Jacobi rotations of rows. */
#ifndef MECHANICS_ALGEBRA_SVD_H
#define MECHANICS_ALGEBRA_SVD_H

#include <shakedown/real.h>

/* Rotates the rows of B (m x n by rows) until they are orthogonal to each other: B <- L B. Then
 * row k is sigma_k v_kᵀ, so that B = Lᵀ diag(sigma) Vᵀ; in no particular order. L (m x m by rows):
 * out, may be NULL. Rows shorter than eps² of the longest count as zero. False if 60 sweeps are not
 * enough. */
bool shk_jacobi_svd(real *B, real *L, int m, int n);
/* The same for a B that is only known to `floor`: rows that have become shorter are left alone. */
bool shk_jacobi_svd_above(real *B, real *L, int m, int n, real floor);

#endif
