/*
 * Crossings within one step: where a trajectory passes configurations at which the constraint
 * Jacobian loses rank.
 *
 * Between the ends of the step q(t) is the polynomial of degree 5 that has q, q', q'' of both ends,
 * right to O(h⁶). With B as in mechanics/diagnosis/rank.h and u its left singular vector of the
 * smallest singular value, followed continuously, Bᵀu = sigma v passes through zero: v changes its
 * sign. The *signed* singular value is sigma times the sign of v relative to its start; its root is
 * found, since |sigma| alone only touches zero.
 *
 * A singular value can only reach zero within a step where its values at both ends are no larger,
 * together, than B moves. Of k such values those that change sign are the negative eigenvalues
 * of the symmetric part of (U_0 U_1ᵀ U_1 B_1)(U_0 B_0)ᵀ, with the rows of U the left vectors; so
 * several loops of a linkage that flatten at the same time are distinguished from those that do
 * not.
 *
 * Not for constraints that depend on momenta, nor for general DAEs.
 */
#ifndef MEASURES_CROSSING_H
#define MEASURES_CROSSING_H

#include "mechanics/diagnosis/rank.h"

struct shk_crossings;

/* An end of a step. */
struct shk_path_point {
  real t;
  const real *q, *v, *a; /* n: q, q', q'' */
  const struct shk_spectrum *spectrum;
};

struct shk_crossing {
  real t;
  real residual; /* the singular value there: zero but for the errors of interpolation and
                    trajectory, or the distance of a near miss */
  bool crossed;  /* small enough relative to both ends; otherwise it is a near miss */
};

#define shk_crossings_create SHK_NAME(shk_crossings_create)
#define shk_crossings_destroy SHK_NAME(shk_crossings_destroy)
#define shk_crossings_find SHK_NAME(shk_crossings_find)
#define shk_crossings_hermite SHK_NAME(shk_crossings_hermite)

struct shk_status shk_crossings_create(struct shk_crossings **crossings,
                                       struct shk_evaluator *evaluator);
void shk_crossings_destroy(struct shk_crossings *crossings);

/* The sign changes between two points where the rank is `rank`, in time order: up to `limit` into
 * `found`, their number into *count. */
struct shk_status shk_crossings_find(struct shk_crossings *crossings, struct shk_crossing *found,
                                     int *count, int limit, const struct shk_path_point *from,
                                     const struct shk_path_point *to, int rank);

/* q (n) at time t on the polynomial. */
void shk_crossings_hermite(real *q, const struct shk_path_point *from,
                           const struct shk_path_point *to, int n, real t);

#endif
