/*
 * Sweeps over a chain of rods, each once through memory: the residuals of the position and the
 * hidden constraint with the elimination of their tridiagonal matrix, and the substitution back.
 *
 * Along a path of rods k = 0 … r-1 rod k joins slots k and k+1, with d_k = r_(k+1) - r_k and w the
 * inverse masses (0: a fixed point). Row k of K = G1 M⁻¹ Gᵀ is then
 *
 *     -w_k d1_k·d_(k-1),   (w_k + w_(k+1)) d1_k·d_k,   -w_(k+1) d1_k·d_(k+1)
 *
 * It is eliminated without pivoting by the three-term recurrence of its leading minors,
 * N_k = K_kk N_(k-1) - K_(k,k-1) K_(k-1,k) N_(k-2), so that nothing waits for a division (W.
 * Gautschi, SIAM Rev. 9 (1967) 24, on such recurrences; N_k/N_(k-1) are the pivots). At each block
 * the minors are scaled to 1: only their ratios matter.
 */
#ifndef MECHANICS_SOLVERS_RODS_TRIDIAGONAL_H
#define MECHANICS_SOLVERS_RODS_TRIDIAGONAL_H

#include "mechanics/solvers/rods/paths.h"
#include <shakedown/solve.h>

/* The result of a sweep. */
struct shk_elimination {
  real residual; /* max|g| or max|G v| */
  real rounding; /* of the hidden residual over epsilon; with SHK_WRITE_SOLUTION */
  int singular;  /* the first row without a pivot; -1: none */
};

/* What a sweep does besides the residual. */
enum shk_elimination_task {
  SHK_ELIMINATE,      /* prepares shk_tridiagonal_substitute */
  SHK_WRITE_SOLUTION, /* writes the results of the solve */
  SHK_ROUND           /* prepares shk_tridiagonal_correct: of positions in quad */
};

/* At task->lambda; `e` for the pattern that G_b is in. Writes dp, p1, q1 and q1_carry with
 * SHK_WRITE_SOLUTION only. */
struct shk_elimination shk_tridiagonal_positions(const struct shk_paths *paths,
                                                 enum shk_elimination_task what,
                                                 const struct shk_evaluator *e,
                                                 const struct shk_position_solve *task);
/* At task->dp. SHK_WRITE_SOLUTION first subtracts factor G1ᵀ x from dp, x of the last substitution,
 * and writes p1 and p1_carry. */
struct shk_elimination shk_tridiagonal_momenta(const struct shk_paths *paths,
                                               enum shk_elimination_task what, real factor,
                                               const struct shk_hidden_solve *task);
/* x <- K⁻¹ times the residual of the sweep that eliminated; multipliers[row] += x factor. */
void shk_tridiagonal_substitute(const struct shk_paths *paths, real *multipliers, real factor);
/* The same with the whole correction, to the digits of double. Lengths are quadratic in the
 * multipliers: a correction by y moves d by D y and leaves g - K y + |D y|²/2, so that K y = g + |D
 * y|²/2 is solved by iteration with the factors of K. False, having done nothing, where K is singular
 * or ill-conditioned, or where this does not converge fast. */
bool shk_tridiagonal_correct(const struct shk_paths *paths, real *multipliers, real factor);

#endif
