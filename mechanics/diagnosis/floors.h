/*
 * Floors of round-off, in the units of a system. A floor such as eps max(1,|q|) would depend on the
 * unit of length: the number 1 has none. The sizes of a motion are, for each group of coordinates
 * with a common unit (`units` in struct shk_system),
 *
 *     p^ = max(|p|, τ |H_q|),     q^ = max(|q|, τ |H_p| at |p_i| = max(|p_i|, τ |H_q,i|)),
 *     t^ = max(|t|, τ)
 *
 * over the noted states, with the time scale τ; where the masses are constant, p^ is at least
 * m q^/τ, the rounding of q in a time scale. They are not zero at rest. The floor of a row
 * r(t,q,p), a constraint, a hidden constraint or an invariant, is
 *
 *     φ = eps Σ_j (|∂r/∂q_j| q^_j + |∂r/∂p_j| p^_j + |∂r/∂t| t^):
 *
 * the change of r by a rounding of every number that it depends on. Where roundings of N steps
 * accumulate, it is 1 + √N times as large.
 */
#ifndef MECHANICS_DIAGNOSIS_FLOORS_H
#define MECHANICS_DIAGNOSIS_FLOORS_H

#include <shakedown/solve.h>

/* Stores `count` numbers, the rows at a state. */
typedef struct shk_status shk_rows(void *user, real *rows, real t, const real *q, const real *p);

/* The sizes of the states noted so far. */
struct shk_floors {
  struct shk_evaluator *evaluator;
  real time_scale;
  real *q, *p, t;  /* q^, p^ (n each), t^ */
  real *reached_p; /* n: the largest |p| of the group */
  real *force;     /* n: the largest |H_q| of the group */
  real *scratch;   /* 3 n */
};

struct shk_status shk_floors_create(struct shk_floors *floors, struct shk_evaluator *evaluator,
                                    real time_scale);
/* Raises each of the sizes (n) to the largest factor |x_j| of its group. Overwrites largest (n). */
void shk_floors_raise_groups(const struct shk_system *system, real *sizes, const real *x,
                             real factor, real *largest);
/* Returns a size; 1 if it is zero, since nothing in the motion has that unit. */
static inline real shk_floors_unit(real size)
{
  return size > 0 ? size : 1;
}
/* Notes q and p of a state, without its forces. */
void shk_floors_reach(struct shk_floors *floors, real t, const real *q, const real *p);
/* Notes a state. Fails where H_q or H_p cannot be evaluated; q and p are noted even then. */
struct shk_status shk_floors_note(struct shk_floors *floors, real t, const real *q, const real *p);
/* Stores the rows at this state in `rows`, which has room for 2 count numbers, and raises each of
 * `least` (count) to the floor of its row there. Derivatives are differences along random
 * directions. Those in which the rows cannot be evaluated are skipped; fails if all are. */
struct shk_status shk_floors_raise(const struct shk_floors *floors, real *least, real *rows,
                                   int count, shk_rows *function, void *user, real t, const real *q,
                                   const real *p);

/* The rows g and the hidden constraint (2m) of a manifold, as `user`. */
struct shk_floors_of_manifold {
  struct shk_manifold *manifold;
  int m;
};
shk_rows shk_floors_residuals;

#endif
