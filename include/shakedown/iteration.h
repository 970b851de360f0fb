/*
 * Convergence of iterations: when an iteration has converged, when and why it fails, and its
 * history of residuals. All solves use this one rule, each with its own numbers. A solve to
 * round-off:
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

/* Advice at the end of the reason of an iteration that failed, where a smaller step helps: its
 * equations are nonlinear in the step. */
#define SHK_TRY_SMALLER_STEP "; try a smaller step"

/* Number of residuals kept, the newest ones. */
enum { SHK_ITERATION_HISTORY = 64 };

/* When an iteration ends, in roundings of its residual. With a tolerance it has converged when the
 * residual, or correction, is at most that. Without one it has converged at `at_once` roundings, or at
 * `at_rest` roundings, also of terms that cancel in it, once it has stopped falling. It fails after `patience` iterates without a new
 * least residual (0: never), at the limit of iterations, or where the residual is not finite. */
struct shk_stopping {
  real at_once, at_rest;
  real falls;   /* it falls while below this part of the residual before */
  int from;     /* first iterate, from 0, that may be at rest */
  int patience; /* iterates without a new least residual */
};
/* The three rules: by the residual of Newton's method, which is more than halved until round-off
 * stops it; by the correction of a Newton-like method, which has the noise of the equations; and by
 * sweep, where convergence is linear, and a violation may first be moved to and fro. */
/* clang-format off */
#define SHK_BY_RESIDUAL {1, 64, R(0.5), 1, 6}
#define SHK_BY_CORRECTION {1, 100, R(0.5), 1, 8}
#define SHK_BY_SWEEP {1, 64, 1, 1, 100}
/* clang-format on */

/* A rule with the reasons of its failures. */
struct shk_iteration_rule {
  struct shk_stopping stops;
  enum shk_code diverged_code; /* of `diverged`; 0: SHK_NOT_CONVERGED */
  const char *diverged;        /* not finite; filled with the residual and the limit */
  const char *stopped;         /* no new least residual; filled with the least and its rounding */
  const char *at_limit;        /* filled with the residual and the limit; NULL: no limit */
};

/* Returns the rounding, over epsilon, of the terms that cancel in the last residual. */
typedef real shk_iteration_cancelled(void *user);

struct shk_iteration {
  /* Numbers that options of a method may set. */
  real tolerance; /* 0: to round-off */
  long limit;
  bool counted; /* ends at the limit only, and has then converged */
  /* The current solve, or the last one. */
  const struct shk_iteration_rule *rule;
  real within;                        /* its tolerance; 0: to round-off */
  real rounding;                      /* of the residual; may be changed before every residual */
  shk_iteration_cancelled *cancelled; /* NULL: none. Asked for once the residual is at rest */
  void *user;
  long count; /* index of the next iterate; 0: the initial guess */
  bool converged;
  real before, least; /* the last and the least residual so far */
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* a ring buffer */
  int history_count;
};

/* Starts a new solve, to the tolerance or with this rounding of the residual. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* Starts again, with the same or another rule, and continues the history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Records the next residual and sets `converged`. A status other than ok is
 * the reason of a failure. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);

#endif
