/* Computes eigenvalues of small symmetric matrices, and singular values, by Jacobi rotations.
 * Matrices are row-major, and results are in no particular order. The singular value decomposition
 * is B = Lᵀ diag(sigma) Vᵀ. Rows of B are no longer rotated once they are shorter than eps² times
 * the longest row or shorter than `floor`, which is the accuracy of B. */
#ifndef MECHANICS_ALGEBRA_JACOBI_H
#define MECHANICS_ALGEBRA_JACOBI_H

#include <shakedown/parts/real.h>

/* Largest number of rows that shk_jacobi_svd accepts. The cost is proportional to m²n. At this
 * limit, it is about a second in double precision. */
enum { SHK_JACOBI_ROWS = 1000 };

/* Replaces the diagonal of the symmetric matrix a (m x m) with its eigenvalues and destroys its
 * other entries. Row k of vectors (m x m; may be NULL) receives the unit eigenvector of the k-th
 * eigenvalue. */
void shk_eigen_symmetric(real *a, real *vectors, int m);

/* Rotates the rows of B (m x n) until they are orthogonal, B <- L B, so that row k becomes sigma_k
 * v_kᵀ. Stores L (m x m) unless the argument is NULL. Returns false if 60 sweeps are not enough or
 * there are too many rows. */
bool shk_jacobi_svd(real *B, real *L, int m, int n, real floor);

#endif
