/*
 * Convergence of iterations: when an iteration has converged, when and why it fails, and its
 * history of residuals. All solves follow this one rule, each with its own numbers. This is a solve
 * to round-off:
 *
 *     shk_iteration_begin(&self->iteration, &rule, REAL_EPSILON);
 *     for (;;) {
 *       correction = …                                 (or a residual)
 *       SHK_TRY(shk_iteration_next(&self->iteration, correction));
 *       if (self->iteration.converged)
 *         return shk_ok();
 *     }
 */
#ifndef SHAKEDOWN_ITERATION_H
#define SHAKEDOWN_ITERATION_H

#include <shakedown/parts/real.h>
#include <shakedown/parts/status.h>

/* Advice to append to the reason of a failure where a smaller step helps, because the equations are
 * nonlinear in the step. */
#define SHK_TRY_SMALLER_STEP "; try a smaller step"

/* The history contains this many of the newest residuals. */
enum { SHK_ITERATION_HISTORY = 64 };

/* When an iteration ends. `at_once` and `at_rest` are in roundings of the residual. With a
 * tolerance, an iteration has converged when its residual (or correction) is at most the tolerance.
 * Without one, it has converged at `at_once` roundings, or, once the residual has stopped falling,
 * at `at_rest` roundings, counting also the roundings of terms that cancel in the residual. It
 * fails after `patience` iterates without a new least residual (0: never), at the limit of
 * iterations, or where the residual is not finite. */
struct shk_stopping {
  real at_once, at_rest;
  /* the residual counts as falling while it is below this fraction of the one before */
  real falls;
  int from;     /* index, from 0, of the first iterate that may be at rest */
  int patience; /* iterates without a new least residual */
};
/* The three rules. Newton's method is judged by its residual, which must be more than halved by each iteration until it reaches round-off. A Newton-like method is judged by its correction, which has the noise of the
 * equations. Sweeps converge linearly and may at first only move a violation to and fro. */
/* clang-format off */
#define SHK_BY_RESIDUAL {1, 64, R(0.5), 1, 6}
#define SHK_BY_CORRECTION {1, 100, R(0.5), 1, 8}
#define SHK_BY_SWEEP {1, 64, 1, 1, 100}
/* clang-format on */

/* A rule, and the texts that explain its failures. */
struct shk_iteration_rule {
  struct shk_stopping stops;
  enum shk_code diverged_code; /* code of the failure `diverged`; 0: SHK_NOT_CONVERGED */
  /* the residual is not finite; filled with the residual and the limit */
  const char *diverged;
  const char *stopped; /* no new least residual; filled with the least and its rounding */
  /* the limit is reached; filled with the residual and the limit; NULL: there is no limit */
  const char *at_limit;
};

/* Returns the rounding error, divided by epsilon, of the terms that cancel in the last residual. */
typedef real shk_iteration_cancelled(void *user);

struct shk_iteration {
  /* These numbers may be set by options of a method. */
  real tolerance; /* 0: to round-off */
  long limit;
  bool counted; /* true if the iteration ends only at the limit, and has then converged */
  /* The current solve, or the last one. */
  const struct shk_iteration_rule *rule;
  real within; /* tolerance of this solve; 0: to round-off */
  /* rounding error of the residual; may change before every residual */
  real rounding;
  shk_iteration_cancelled *cancelled; /* NULL: none. Called only once the residual is at rest */
  void *user;
  long count; /* index of the next iterate; 0: the initial guess */
  bool converged;
  real before, least; /* the last and the least residual so far */
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* a ring buffer */
  int history_count;
};

/* Starts a new solve, to the tolerance or, without one, with this rounding error of the
 * residual. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* Starts again, with the same rule or another, and continues the history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Records the next residual and sets `converged`. If the iteration fails, the returned status has
 * the reason. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);

#endif
