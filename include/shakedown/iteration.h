/*
 * Convergence control, which determines when an iteration has converged, or when and why it has
 * failed, and which records the residuals. All solves apply the same rule with different
 * parameters. A solve to round-off looks like this:
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

/* Advice that is appended to the reason for a failure if a smaller step can help, which is the case
 * if the equations are nonlinear in the step size. */
#define SHK_TRY_SMALLER_STEP "; try a smaller step"

/* The capacity of the history, which contains the most recent residuals. */
enum { SHK_ITERATION_HISTORY = 64 };

/* A rule that determines when an iteration ends. `at_once` and `at_rest` are multiples of the
 * residual's rounding error. If there is a tolerance, an iteration has converged when its residual
 * (or correction) is at most the tolerance. Without a tolerance, it has converged when the residual
 * is at most `at_once` rounding errors or, once the residual has stopped decreasing, at most
 * `at_rest` rounding errors, which then include the rounding of terms that cancel in the residual.
 * An iteration fails after `patience` iterates without a new smallest residual (unless `patience`
 * is 0), at the iteration limit, or if the residual is not finite. */
struct shk_stopping {
  real at_once, at_rest;
  /* a residual counts as decreasing if it is below this fraction of the previous one */
  real falls;
  int from;     /* 0-based index of the first iterate that can count as being at rest */
  int patience; /* maximum number of iterates without a new smallest residual, or 0 */
};
/* The three rules. Newton's method is evaluated by its residual, which must be more than halved by
 * each iteration until it reaches round-off. A Newton-like method is evaluated by its correction,
 * which contains the round-off noise of the equations. Sweeps converge linearly and may at first
 * only move a violation back and forth. */
/* clang-format off */
#define SHK_BY_RESIDUAL {1, 64, R(0.5), 1, 6}
#define SHK_BY_CORRECTION {1, 100, R(0.5), 1, 8}
#define SHK_BY_SWEEP {1, 64, 1, 1, 100}
/* clang-format on */

/* A rule, and the messages that explain its failures. */
struct shk_iteration_rule {
  struct shk_stopping stops;
  /* failure code if the iteration diverges; 0 means SHK_NOT_CONVERGED */
  enum shk_code diverged_code;
  /* message for a residual that is not finite; its arguments are the residual and the limit */
  const char *diverged;
  /* message if no smaller residual was found; its arguments are the smallest residual and its
   * rounding error */
  const char *stopped;
  /* message for reaching the limit; its arguments are the residual and the limit; NULL if there is
   * no limit */
  const char *at_limit;
};

/* Returns the rounding error of the terms that cancel in the last residual, divided by epsilon. */
typedef real shk_iteration_cancelled(void *user);

struct shk_iteration {
  /* Parameters that can be set by the options of a method. */
  real tolerance; /* 0 means round-off */
  long limit;
  bool counted; /* true if the iteration always runs to the limit and then counts as converged */
  /* The current solve or, if none is running, the last one. */
  const struct shk_iteration_rule *rule;
  real within; /* tolerance of this solve; 0 means that it continues to round-off */
  /* rounding error of the residual; it may change before every residual */
  real rounding;
  /* called only once the residual is at rest; NULL if there is none */
  shk_iteration_cancelled *cancelled;
  void *user;
  long count; /* index of the next iterate; index 0 is the initial guess */
  bool converged;
  real before, least; /* the last residual, and the smallest so far */
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* a ring buffer */
  int history_count;
};

/* Starts a new solve. `rounding` is the rounding error of the residual; if there is no tolerance,
 * the solve continues until it reaches round-off. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* Restarts the iteration with the same rule or a different one, and appends to the existing
 * history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Records the next residual and sets `converged`. If the iteration fails, the returned status
 * contains the reason. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);

#endif
