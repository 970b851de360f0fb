/* Eigenvalues of small symmetric matrices, and singular values, by Jacobi's rotations. Matrices are
 * stored by rows; results are in no particular order. The singular value decomposition is B = Lᵀ
 * diag(sigma) Vᵀ. Rows of B shorter than eps² of the longest, or than `floor`, the accuracy of B,
 * are not rotated further. */
#ifndef MECHANICS_ALGEBRA_JACOBI_H
#define MECHANICS_ALGEBRA_JACOBI_H

#include <shakedown/parts/real.h>

/* Largest number of rows of shk_jacobi_svd: its cost grows like m²n, and this size takes about a
 * second in double precision. */
enum { SHK_JACOBI_ROWS = 1000 };

/* Stores the eigenvalues of the symmetric a (m x m, destroyed) on its diagonal. vectors (m x m;
 * NULL: not wanted): row k is the unit eigenvector of the k-th eigenvalue. */
void shk_eigen_symmetric(real *a, real *vectors, int m);

/* Rotates the rows of B (m x n) until they are orthogonal, B <- L B: row k becomes sigma_k v_kᵀ. L
 * (m x m): out; NULL: not wanted. False if 60 sweeps are not enough, or there are too many rows. */
bool shk_jacobi_svd(real *B, real *L, int m, int n, real floor);

#endif
