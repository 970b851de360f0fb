/* Eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's rotations. */
#ifndef MECHANICS_ALGEBRA_EIGEN_H
#define MECHANICS_ALGEBRA_EIGEN_H

#include <shakedown/real.h>

/* Eigenvalues of the symmetric a (m x m by rows, destroyed) onto its diagonal, in no particular
 * order. vectors (m x m by rows; NULL: not wanted): row k is the unit eigenvector of the k-th. */
void shk_eigen_symmetric(real *a, real *vectors, int m);

#endif
