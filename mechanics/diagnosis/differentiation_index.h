/*
 * The chain of hidden constraints of a system and its differentiation index, computed numerically.
 *
 * With z = (q,p), z' = f(z,lambda,t) and 0 = g(z,t), let lambda(t) = Σ_j lambda_j s^j, s = (t -
 * t_0)/τ with τ the problem's time scale. The solution z(t) of the differential equation alone from
 * z_0 then has
 *
 *     g(z(t),t) = Σ_k c_k s^k,   c_k = c_k(z_0, lambda_0, …, lambda_{k-1})
 *
 * and c_k = 0, k = 0 … K, is the derivative array of K differentiations. At a point that solves it
 * for the largest K, with J = (J_z J_lambda) its derivative and the rows of W spanning the left
 * null space of J_lambda,
 *
 *     rank W J_z                            is the number of conditions on (q,p) that K
 *                                           differentiations give,
 *     {f_lambda nu_0 : J_lambda nu = 0}     the directions of motion that they leave undetermined.
 *
 * If none is left undetermined the next differentiation determines lambda', and the index is
 * K + 1 (Gear, SIAM J. Sci. Stat. Comput. 9 (1988) 39; Brenan, Campbell & Petzold, Numerical
 * Solution of Initial-Value Problems in DAEs, §2.5): 3 where G M⁻¹ Gᵀ is regular. If neither number
 * changes any more and directions are left, lambda is never determined: there are infinitely many
 * solutions. Multipliers of redundant constraints are not unique, yet Gᵀlambda is; such a system
 * has the index of the reduced one.
 *
 * The c_k come from Picard's iteration on Chebyshev nodes over |s| ≤ 1/50, their derivatives from
 * differences. That leaves enough digits in quadruple precision only. Rank decisions have a gap of
 * four powers of ten: singular values within it leave the index undecided.
 */
#ifndef MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H
#define MECHANICS_DIAGNOSIS_DIFFERENTIATION_INDEX_H

#include <shakedown/system.h>

/* Differentiations: the largest index found is one more. */
#define SHK_CHAIN_LEVELS 5
/* The most unknowns of the array, 2n + m SHK_CHAIN_LEVELS. */
#define SHK_CHAIN_LIMIT 130

struct shk_chain {
  int index;        /* 0: lambda is never determined; -1: not decided */
  int undetermined; /* directions of motion that stay undetermined; 0 with an index */
  int conditions[SHK_CHAIN_LEVELS + 1]; /* new on (q,p) by the k-th differentiation */
  int last;                             /* differentiations after which there is nothing new */
  /* The coordinates that the new conditions' gradients have entries in: "q1, p2". */
  char coordinates[SHK_CHAIN_LEVELS + 1][96];
  double moved; /* distance of the consistent point found from the start: max norm */
};

/* At (q,p) or, if that is not consistent, at a consistent point nearby, of the constraints g alone,
 * without those that are stated on velocities. SHK_REFUSED with the reason
 * where the precision, the size or the kind of system does not allow it; SHK_NOT_CONVERGED where no
 * consistent point is found. */
struct shk_status shk_chain_find(struct shk_chain *chain, struct shk_evaluator *evaluator,
                                 real time_scale, real t, const real *q, const real *p);

#endif
