/*
 * The references: RATTLE with the Störmer-Verlet flow,
 *
 *     p½ = p0 - h/2 (V_q(q0) + G(q0)ᵀ λ),   q1 = q0 + h M⁻¹ p½,   g(q1) = 0
 *     p1 = p½ - h/2 (V_q(q1) + G(q1)ᵀ μ),   G(q1) M⁻¹ p1 = 0,
 *
 * written by hand for one system each: flat arrays, no callbacks, special linear algebra. Start,
 * masses and lengths are the problem's, step and tolerance the cell's. A position solve ends when
 * max|g| is at most the tolerance; the velocity-level solve is linear.
 *
 * They are compiled for the baseline vector instructions of the architecture and, unlike our
 * methods, without compensated summation. They show the attainable cost of a step of the system;
 * before timing, their trajectories are compared with ours (timing.c).
 */
#ifndef BENCHMARKS_HAND_H
#define BENCHMARKS_HAND_H

#include "benchmarks/hand_names.h"
#include <shakedown/system.h>

/* The input of a reference. lambda: the multipliers at the start, in units of force. */
struct hand_task {
  const struct shk_system *system;
  const real *q, *p, *lambda;
  real step, tolerance;
};

/* `create` returns NULL if memory is lacking or the reference does not handle the system. `start`
 * returns to the start; `run` makes `steps` steps, false if one did not converge; `state` writes q
 * and p in the order of the problem. */
struct hand {
  const char *name; /* of the problem */
  void *(*create)(const struct hand_task *task);
  void (*start)(void *self);
  bool (*run)(void *self, long steps);
  void (*state)(const void *self, real *q, real *p);
  void (*destroy)(void *self);
};

enum hand_number {
#define HAND(name, reference) HAND_##name,
#include "benchmarks/hands.def"
  HAND_COUNT
};
#define HAND(name, reference) extern const struct hand reference;
#include "benchmarks/hands.def"
extern const struct hand *const hands[HAND_COUNT];

/* The largest number of Newton iterations of a position solve of a reference. */
enum { HAND_LIMIT = 50 };

#endif
