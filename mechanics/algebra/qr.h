/* Householder QR with column pivoting. */
#ifndef MECHANICS_ALGEBRA_QR_H
#define MECHANICS_ALGEBRA_QR_H

#include <shakedown/real.h>

/* Bᵀ P = Q R for m vectors of length n, the rows of B (m x n), which are the columns that are
 * pivoted. Stops when no remaining column is longer than `tolerance` times the first pivot; returns
 * the rank found, at most min(m,n).
 *
 * Out: order (m): column k of R is that of vector order[k]; the vectors are exchanged in B
 * accordingly. Row j of B then has R_kj in place k for k < min(j, rank), and reflector j (j <
 * rank), 1 - tau_j u uᵀ with u in places j … n-1, from place j on; the diagonal R_jj is in
 * diagonal[j]. tau, diagonal: min(m,n). */
int shk_qr_factor(real *B, real *tau, real *diagonal, int *order, int m, int n, real tolerance);
/* x (n) <- Qᵀ x with the first `rank` reflectors. */
void shk_qr_reflect(real *x, const real *B, const real *tau, int rank, int n);

#endif
