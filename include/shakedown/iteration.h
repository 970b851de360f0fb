/*
 * Convergence of iterations: when an iteration has converged, when and why it fails, and its
 * history of residuals. All solves use this one rule, each with its own numbers. A solve to
 * round-off:
 *
 *     shk_iteration_begin(&w->iteration, &rule, REAL_EPSILON);
 *     for (;;) {
 *       correction = …                                 (or a residual)
 *       SHK_TRY(shk_iteration_next(&w->iteration, correction));
 *       if (w->iteration.converged)
 *         return shk_ok();
 *     }
 */
#ifndef SHAKEDOWN_ITERATION_H
#define SHAKEDOWN_ITERATION_H

#include <shakedown/real.h>
#include <shakedown/status.h>

/* Advice at the end of the reason of a failed iteration, by its cause. Only the iteration knows
 * whether a smaller step helps: it does where the equations are nonlinear in the step; sweeps over
 * coupled constraints, and approximate inverses, converge as slowly at any step. */
#define SHK_TRY_SMALLER_STEP "; try a smaller step"
#define SHK_TRY_NEWTON                                                                             \
  "; the constraints are too strongly coupled for this solver: try solver=newton"
#define SHK_TRY_MORE_SWEEPS "; try a larger limit of iterations, or solver=newton"

/* Number of residuals kept, the newest ones. */
enum { SHK_ITERATION_HISTORY = 64 };

/* With a tolerance, an iteration has converged when its residual, or correction, is at most that.
 * Without one it has converged when the residual is at most its rounding, or has stopped falling
 * within a factor of that or of the rounding of cancelling terms. It fails if the residual is not
 * finite, does not improve for too long, or at the limit of iterations. */
struct shk_iteration_rule {
  /* Converged, up to this multiple of the rounding: */
  real at_once;      /* in any case */
  real slow;         /* if the residual has not halved; 0: never */
  real stalled;      /* if the residual has not fallen at all; 0: never */
  real cancelled;    /* up to here the rounding of cancelling terms is tried, too; 0: always */
  int from;          /* first iterate, from 0, that may be slow or stalled */
  bool least;        /* slow and stalled compare with the least residual, not the last */
  bool to_round_off; /* the tolerance is ignored */
  bool renewed;      /* the rounding is estimated at every iterate, not only at the first */
  /* Failed: */
  int patience;     /* after this number of iterates without a new least residual */
  bool clearly;     /* a new least residual must be below half of the previous one */
  bool corrections; /* residuals are corrections: the limit includes the first one */
  /* Reasons of failures. NULL: the iteration does not fail for that reason, except for
   * `diverged`. */
  enum shk_code diverged_code; /* of `diverged`; 0: SHK_NOT_CONVERGED */
  const char *diverged;        /* not finite; filled with the residual and the limit */
  const char *stays;           /* slow, not round-off; filled with the residual and its rounding */
  const char *stopped; /* no new least residual; filled with the residual and the limit, or … */
  bool names_least;    /* … if this is true, with the least residual and its rounding */
  const char *limit;   /* the limit is reached; filled with the residual and the limit */
};

/* Returns the rounding of the last residual over epsilon. `cancelled`: the rounding of its
 * cancelling terms, called only after it has stopped falling. */
typedef real shk_iteration_rounding(void *user, bool cancelled);

struct shk_iteration {
  /* Numbers that options of a method may set. */
  real tolerance; /* 0: to round-off */
  long limit;
  bool counted; /* ends at the limit only, and has then converged */
  /* The current solve, or the last one. */
  const struct shk_iteration_rule *rule;
  shk_iteration_rounding *estimate; /* NULL: `rounding` is used */
  void *user;
  long count; /* index of the next iterate; 0: the initial guess */
  bool converged;
  real rounding;      /* of the residual; may be changed before every residual */
  real before, least; /* the last and the least residual so far */
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* a ring buffer */
  int history_count;
};

/* The rule of an iteration to the rounding of its residual, such as a projection, which fails for
 * one reason. */
#define SHK_TO_ROUND_OFF(reason)                                                                   \
  {                                                                                                \
    .at_once = R(0.25), .slow = 64, .from = 1, .diverged = reason, .limit = reason                 \
  }

/* Starts a new solve with this rounding of the residual. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* Starts a new solve whose rounding is estimated, unless it has a tolerance. */
void shk_iteration_begin_estimated(struct shk_iteration *iteration,
                                   const struct shk_iteration_rule *rule,
                                   shk_iteration_rounding *estimate, void *user);
/* Starts again, with the same or another rule, and continues the history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Records the next residual and sets `converged`. A status other than ok is
 * the reason of a failure. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);
/* The two halves of shk_iteration_next: record the residual, and decide. */
void shk_iteration_note(struct shk_iteration *iteration, real residual);
struct shk_status shk_iteration_decide(struct shk_iteration *iteration, real residual);
/* Records the residual of an iterate that is corrected in any case. */
void shk_iteration_pass(struct shk_iteration *iteration, real residual);
/* Stores the residuals of the last solve, the newest last; returns their number, at most
 * `limit`. */
int shk_iteration_history(const struct shk_iteration *iteration, double *residuals, int limit);

#endif
