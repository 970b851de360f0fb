/* Householder QR with column pivoting, Bᵀ P = Q R, where B (m x n, row-major) contains m vectors of
 * length n as its rows. The result overwrites B.
 *
 * Column k of R belongs to vector order[k], and the rows of B are exchanged accordingly. Row j of B
 * then contains R_kj in column k for k < min(j, rank). For j < rank, columns j … n-1 contain the
 * vector u of reflector j, which is 1 - tau_j u uᵀ. The diagonal entry R_jj is stored in
 * diagonal[j]. */
#ifndef MECHANICS_ALGEBRA_QR_H
#define MECHANICS_ALGEBRA_QR_H

#include <shakedown/parts/real.h>

/* Stops when no remaining vector is longer than `tolerance` times the first pivot. Returns the
 * rank, which is at most min(m,n). Stores order (m), and tau and diagonal (min(m,n) each). */
int shk_qr_factor(real *B, real *tau, real *diagonal, int *order, int m, int n, real tolerance);
/* x (n) <- Qᵀ x, where Q is the product of the first `rank` reflectors. */
void shk_qr_reflect(real *x, const real *B, const real *tau, int rank, int n);

#endif
