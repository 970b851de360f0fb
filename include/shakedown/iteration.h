/*
 * When an iteration has converged, when it is given up and why, and its history of residuals: one
 * rule for all solves, with numbers for each. A solve to round-off reads
 *
 *     shk_iteration_begin(&w->iteration, &rule, REAL_EPSILON);
 *     for (;;) {
 *       correction = …                                 (or a residual)
 *       SHK_TRY(shk_iteration_next(&w->iteration, correction));
 *       if (w->iteration.converged)
 *         return shk_ok();
 *     }
 *
 * "Residual" below may also be a correction. The iteration has converged
 *
 *     at or below the tolerance, where there is one;
 *     otherwise at its rounding, or, where it has stopped falling, within a factor of that or of
 *     what terms that cancel leave of it.
 *
 * It is given up if the residual is not finite or does not improve for too long, or at the limit of
 * iterations.
 */
#ifndef SHAKEDOWN_ITERATION_H
#define SHAKEDOWN_ITERATION_H

#include <shakedown/real.h>
#include <shakedown/status.h>

/* How many residuals are kept, the newest. */
enum { SHK_ITERATION_HISTORY = 64 };

struct shk_iteration_rule {
  /* Converged, up to this many times its rounding: */
  real at_once;      /* in any case */
  real slow;         /* if it has not halved; 0: never */
  real stalled;      /* if it has not fallen at all; 0: never */
  real cancelled;    /* the rounding of terms that cancel counts, too, up to here; 0: all of it */
  int from;          /* the first iterate, from 0, that may be slow or stalled */
  bool least;        /* slow and stalled are compared with the least residual, not the last */
  bool to_round_off; /* whatever the tolerance */
  bool renewed;      /* the rounding is estimated at every iterate, not at the first alone */
  /* Given up: */
  int patience;     /* after so many iterates without a new least residual */
  bool clearly;     /* a new least must be below half of the one before */
  bool corrections; /* residuals are corrections, so that the first counts towards the limit */
  /* Why. NULL: not given up for that reason. */
  enum shk_code diverged_code; /* of `diverged`; 0: SHK_NOT_CONVERGED */
  const char *diverged;        /* not finite; filled with the residual and the limit */
  const char *stays;           /* slow and not round-off; the residual and its rounding */
  const char *stopped; /* no new least; the residual and the limit, or if `names_least` … */
  bool names_least;    /* … the least residual and the rounding */
  const char *limit;   /* the residual and the limit */
};

/* The rounding of the residual just made, over epsilon. `cancelled`: that of the terms that cancel
 * in it, asked only once it has stopped falling. */
typedef real shk_iteration_rounding(void *user, bool cancelled);

struct shk_iteration {
  /* Options of a method may land here. */
  real tolerance; /* 0: down to round-off */
  long limit;
  bool counted; /* it ends at the limit and there only, and has converged then */
  /* The present solve, or the last one. */
  const struct shk_iteration_rule *rule;
  shk_iteration_rounding *estimate; /* NULL: `rounding` is given */
  void *user;
  long count; /* of iterates before the next one */
  bool converged;
  real rounding; /* of the residual; may be updated before every residual */
  real before, least;
  int since_least;
  double history[SHK_ITERATION_HISTORY]; /* cyclically */
  int history_count;
};

#define shk_iteration_begin SHK_NAME(shk_iteration_begin)
#define shk_iteration_begin_estimated SHK_NAME(shk_iteration_begin_estimated)
#define shk_iteration_restart SHK_NAME(shk_iteration_restart)
#define shk_iteration_next SHK_NAME(shk_iteration_next)
#define shk_iteration_decide SHK_NAME(shk_iteration_decide)
#define shk_iteration_note SHK_NAME(shk_iteration_note)
#define shk_iteration_pass SHK_NAME(shk_iteration_pass)
#define shk_iteration_history SHK_NAME(shk_iteration_history)

/* Begins a new solve. `rounding`: of the residual. */
void shk_iteration_begin(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                         real rounding);
/* The same with the rounding estimated, unless there is a tolerance. */
void shk_iteration_begin_estimated(struct shk_iteration *iteration,
                                   const struct shk_iteration_rule *rule,
                                   shk_iteration_rounding *estimate, void *user);
/* Begins again, perhaps with another rule, and continues the history. */
void shk_iteration_restart(struct shk_iteration *iteration, const struct shk_iteration_rule *rule,
                           real rounding);
/* Notes the next residual and decides, which sets `converged`. A status other than ok says why the
 * iteration is given up. */
struct shk_status shk_iteration_next(struct shk_iteration *iteration, real residual);
/* The two halves of that. */
void shk_iteration_note(struct shk_iteration *iteration, real residual);
struct shk_status shk_iteration_decide(struct shk_iteration *iteration, real residual);
/* Notes the residual of an iterate that is corrected in any case. */
void shk_iteration_pass(struct shk_iteration *iteration, real residual);
/* The residuals of the last solve, the newest last; returns how many, at most `limit`. */
int shk_iteration_history(const struct shk_iteration *iteration, double *residuals, int limit);

#endif
