/* Eigenvalues of small symmetric matrices, and singular values, by Jacobi's rotations. */
#ifndef MECHANICS_ALGEBRA_JACOBI_H
#define MECHANICS_ALGEBRA_JACOBI_H

#include <shakedown/real.h>

/* Eigenvalues of the symmetric a (m x m by rows, destroyed) onto its diagonal, in no particular
 * order. vectors (m x m by rows; NULL: not wanted): row k is the unit eigenvector of the k-th. */
void shk_eigen_symmetric(real *a, real *vectors, int m);

/* Rotates the rows of B (m x n by rows) until they are orthogonal to each other: B <- L B. Then
 * row k is sigma_k v_kᵀ, so that B = Lᵀ diag(sigma) Vᵀ; in no particular order. L (m x m by rows):
 * out, may be NULL. Rows shorter than eps² of the longest count as zero; rows that have become
 * shorter than `floor`, to which B is known, are left alone. False if 60 sweeps are not enough. */
bool shk_jacobi_svd(real *B, real *L, int m, int n, real floor);

#endif
