/* Householder QR with column pivoting, Bᵀ P = Q R, of the m rows of B (m x n by rows), which are
 * vectors of length n. The result overwrites B.
 *
 * Column k of R belongs to vector order[k], and the rows of B are exchanged accordingly. Row j of B
 * then contains R_kj in column k for k < min(j, rank). From column j on (j < rank), it contains
 * reflector j, which is 1 - tau_j u uᵀ with u in columns j … n-1. The diagonal entry R_jj is in
 * diagonal[j]. */
#ifndef MECHANICS_ALGEBRA_QR_H
#define MECHANICS_ALGEBRA_QR_H

#include <shakedown/parts/real.h>

/* Stops when no remaining vector is longer than `tolerance` times the first pivot. Returns the
 * rank, which is at most min(m,n). Stores order (m), and tau and diagonal (min(m,n) each). */
int shk_qr_factor(real *B, real *tau, real *diagonal, int *order, int m, int n, real tolerance);
/* x (n) <- Qᵀ x, with the first `rank` reflectors. */
void shk_qr_reflect(real *x, const real *B, const real *tau, int rank, int n);

#endif
