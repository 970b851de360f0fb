/*
 * Finds crossings within one step, that is, points where the trajectory passes through
 * configurations in which the constraint Jacobian loses rank.
 *
 * Within the step, q(t) is approximated by the polynomial of degree 5 that matches q, q' and q'' at
 * both ends, with an error of O(h⁶). Let B be as in mechanics/diagnosis/rank.h, let sigma be its
 * smallest singular value, and let u be the left singular vector for sigma, followed continuously.
 * At a crossing, Bᵀu = sigma v passes through zero, and v changes sign. The *signed* singular value
 * is sigma times the sign of v relative to the start of the step. The search looks for a root of
 * the signed value, because sigma itself touches zero without changing sign.
 *
 * A singular value can reach zero within a step only if the sum of its values at both ends does not
 * exceed the length of the path of B. Of the k such values, the number that change sign equals the
 * number of negative eigenvalues of the symmetric part of (U_0 U_1ᵀ U_1 B_1)(U_0 B_0)ᵀ, where the
 * rows of U are the left singular vectors. The eigenvectors distinguish the loops of a linkage that
 * flatten at the same time from the other loops.
 *
 * General DAEs and constraints that depend on momenta are not supported.
 */
#ifndef MEASURES_CROSSING_H
#define MEASURES_CROSSING_H

#include "mechanics/diagnosis/rank.h"

struct shk_crossings;

/* One end of a step. */
struct shk_path_point {
  real t;
  const real *q, *v, *a; /* q, q' and q'' (n numbers each) */
  const struct shk_spectrum *spectrum;
};

struct shk_crossing {
  real t;
  /* For a crossing, the singular value there, which is zero up to interpolation and trajectory
   * errors. For a near miss, the distance of the singular value from zero. If there is no root, the
   * larger of the two values at the ends. */
  real residual;
  bool crossed; /* false for a near miss */
};

/* Prepares the search and allocates memory for it in the evaluator's workspace. */
struct shk_status shk_crossings_create(struct shk_crossings **crossings,
                                       struct shk_evaluator *evaluator);

/* Finds the sign changes and near misses between two points where the rank of B is `rank`. Stores
 * up to `limit` of them in `found`, in chronological order, and their number in *count. */
struct shk_status shk_crossings_find(struct shk_crossings *crossings, struct shk_crossing *found,
                                     int *count, int limit, const struct shk_path_point *from,
                                     const struct shk_path_point *to, int rank);

/* Stores the value of the polynomial at time t in q (n). */
void shk_crossings_hermite(real *q, const struct shk_path_point *from,
                           const struct shk_path_point *to, int n, real t);

#endif
