/*
 * Computes round-off floors in the units of a system. A floor such as eps max(1,|q|) would depend
 * on the unit of length, because the constant 1 has no unit. For each group of coordinates that
 * share a unit (`units` in struct shk_system), the sizes of a motion are
 *
 *     p^ = max(|p|, τ |H_q|),     q^ = max(|q|, τ |H_p| at |p_i| = max(|p_i|, τ |H_q,i|)),
 *     t^ = max(|t|, τ)
 *
 * where the maxima are taken over all recorded states, and τ is the time scale. If the masses are
 * constant, p^ is at least m q^/τ, which accounts for the rounding of q within one time scale.
 * These sizes do not vanish when the system is at rest. A row r(t,q,p) is a constraint, a hidden
 * constraint or an invariant. Its floor is
 *
 *     φ = eps Σ_j (|∂r/∂q_j| q^_j + |∂r/∂p_j| p^_j + |∂r/∂t| t^)
 *
 * This is the change in r caused by rounding every number that r depends on. If the rounding errors
 * of N steps accumulate, the floor is 1 + √N times as large.
 */
#ifndef MECHANICS_DIAGNOSIS_FLOORS_H
#define MECHANICS_DIAGNOSIS_FLOORS_H

#include <shakedown/solve.h>

/* Evaluates `count` rows at a state and stores the results. */
typedef struct shk_status shk_rows(void *user, real *rows, real t, const real *q, const real *p);

/* The sizes of the motion over all states recorded so far. */
struct shk_floors {
  struct shk_evaluator *evaluator;
  real time_scale;
  real *q, *p, t;  /* q^, p^ (n each), t^ */
  real *reached_p; /* n entries: the largest |p| in each coordinate's group */
  real *force;     /* n entries: the largest |H_q| in each coordinate's group */
  real *scratch;   /* 3 n */
};

struct shk_status shk_floors_create(struct shk_floors *floors, struct shk_evaluator *evaluator,
                                    real time_scale);
/* Raises each of the sizes (n) to at least `factor` times the largest |x_j| in its group.
 * Overwrites largest (n). */
void shk_floors_raise_groups(const struct shk_system *system, real *sizes, const real *x,
                             real factor, real *largest);
/* Returns the given size, or 1 if it is zero, which means that no quantity in the motion has that
 * unit. */
static inline real shk_floors_unit(real size)
{
  return size > 0 ? size : 1;
}
/* Records q and p of a state, but not its forces. */
void shk_floors_reach(struct shk_floors *floors, real t, const real *q, const real *p);
/* Records a state. Fails if H_q or H_p cannot be evaluated, but records q and p even then. */
struct shk_status shk_floors_note(struct shk_floors *floors, real t, const real *q, const real *p);
/* Evaluates the rows at this state and stores them in `rows`, which has room for 2 count numbers.
 * Raises each entry of `least` (count) to its row's floor at this state if it is smaller.
 * Derivatives are approximated by differences along random directions, skipping those along which
 * the rows cannot be evaluated. Fails if all directions are skipped. */
struct shk_status shk_floors_raise(const struct shk_floors *floors, real *least, real *rows,
                                   int count, shk_rows *function, void *user, real t, const real *q,
                                   const real *p);

/* Evaluates the rows of g and of the hidden constraint (2m). `user` points to a manifold. */
struct shk_floors_of_manifold {
  struct shk_manifold *manifold;
  int m;
};
shk_rows shk_floors_residuals;

#endif
