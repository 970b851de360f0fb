/*
 * Convergence of iterations: decides when an iteration has converged and when and why it has
 * failed, and records its residuals. All solves apply the same rule, each with its own parameters.
 * A solve to round-off looks like this:
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

/* Advice that is appended to the reason for a failure if a smaller step helps, because the
 * equations are nonlinear in the step. */
#define SHK_TRY_SMALLER_STEP "; try a smaller step"

/* The number of most recent residuals that the history contains. */
enum { SHK_ITERATION_HISTORY = 64 };

/* A rule that decides when an iteration ends. `at_once` and `at_rest` are multiples of the
 * residual's rounding error. If there is a tolerance, an iteration has converged when its residual
 * (or correction) is at most the tolerance. Without a tolerance, it has converged when the residual
 * is at most `at_once` rounding errors or, once the residual has stopped decreasing, at most
 * `at_rest` rounding errors, which then include the rounding of terms that cancel in the residual.
 * An iteration fails after `patience` iterates without a new smallest residual (0: never), at the
 * iteration limit, or if the residual is not finite. */
struct shk_stopping {
  real at_once, at_rest;
  /* the residual is decreasing if it is below this fraction of the previous one */
  real falls;
  int from;     /* 0-based index of the first iterate that can be at rest */
  int patience; /* iterates without a new smallest residual */
};
/* The three rules. Newton's method is judged by its residual, which must be more than halved by
 * each iteration until it reaches round-off. A Newton-like method is judged by its correction,
 * which contains the noise of the equations. Sweeps converge linearly and may at first only move a
 * violation back and forth. */
/* clang-format off */
#define SHK_BY_RESIDUAL {1, 64, R(0.5), 1, 6}
#define SHK_BY_CORRECTION {1, 100, R(0.5), 1, 8}
#define SHK_BY_SWEEP {1, 64, 1, 1, 100}
/* clang-format on */

/* A rule, and the messages that explain its failures. */
struct shk_iteration_rule {
  struct shk_stopping stops;
  enum shk_code diverged_code; /* code of the failure `diverged`; 0: SHK_NOT_CONVERGED */
  /* text for a residual that is not finite; filled with the residual and the limit */
  const char *diverged;
  /* text if no smaller residual was found; filled with the smallest and its rounding */
  const char *stopped;
  /* text for the limit; filled with the residual and the limit; NULL: there is no limit */
  const char *at_limit;
};

/* Returns the rounding error of the terms that cancel in the last residual, divided by epsilon. */
typedef real shk_iteration_cancelled(void *user);

struct shk_iteration {
  /* A method's options can set these numbers. */
  real tolerance; /* 0: to round-off */
  long limit;
  bool counted; /* true if the iteration always runs to the limit and then counts as converged */
  /* The current solve or, if none is running, the last one. */
  const struct shk_iteration_rule *rule;
  real within; /* tolerance of this solve; 0: solve to round-off */
  /* rounding error of the residual; may change before every residual */
  real rounding;
  shk_iteration_cancelled *cancelled; /* called only once the residual is at rest; NULL: none */
  void *user;
  long count; /* index of the next iterate; 0: the initial guess */
  bool converged;
  real before, least; /* the last residual, and the smallest so far */
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* a ring buffer */
  int history_count;
};

/* Starts a new solve. Without a tolerance, the solve goes to round-off, given this rounding error
 * of the residual. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* Restarts the iteration with the same rule or a different one, and continues the history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Records the next residual and sets `converged`. If the iteration fails, the returned status
 * contains the reason. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);

#endif
