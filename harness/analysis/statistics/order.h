/* Determines the order of convergence from an error curve. */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include "harness/analysis/statistics/expansion.h"
#include "harness/analysis/statistics/members.h"

#include <stdbool.h>

/* A point of an error curve. Only the fields before end_error are used by a fit. */
struct shk_point {
  double step;            /* step or tolerance */
  double error;           /* the largest error over all sample times; NaN if the cell failed */
  double reference_error; /* the error of the reference in the same norm; NaN if unknown */
  double floor;           /* round-off level; 0 if unknown */
  /* The errors of every component at every sample time, in the same unit as `error`, or NULL if
   * there are none. Their number is the same at every step size. */
  double *signed_errors;
  int signed_count;
  bool in_window; /* true if the fit used this point */

  double end_error;  /* error at the last sample time; NaN if the cell failed */
  double scd, mescd; /* correct digits at the last sample time (engine.h); NaN if the cell failed */
  double seconds;    /* smallest CPU time of the repeats; NaN if not recorded */
  double work;       /* evaluations of H_q plus Jacobians; NaN if not recorded */
  /* The statistics of the members' errors, if there are members. In that case, error, end_error,
   * scd and mescd are those of the worst member. */
  struct shk_member_statistics members;
  /* Over all sample times, each component is approximated by a multiple of the corresponding
   * component of the reference. The first two fields are the smallest and the largest multiple. The
   * misfit is the largest distance of a component from its approximation, relative to the size of
   * the approximation; both are root mean squares over the times. `times` is the number of sample
   * times. Values are NaN if unknown. */
  double least_multiple, most_multiple, misfit;
  int times;
  const struct shk_record *record; /* NULL if there is no record yet */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* the limit as h → 0, and its half-width */
  double last_pair;         /* the order computed from the two finest points */
  double trend;             /* the last change of the pairwise orders, with its sign */
  double finest_error;      /* the error at the finest point that was used */
  /* the largest fraction of the error at the largest step that a term of lower order could
   * contribute without being detected; NaN if unknown */
  double unseen;
  /* The largest possible contribution of a term of each lower order to the errors at the largest
   * step, in the unit of `error` (see struct shk_expansion). NaN if unknown. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  /* true if the pairwise orders move away from this order at an increasing rate, in which case
   * smaller steps would show a lower order */
  bool leaves;
  bool by_signs; /* true if the order was determined from the expansion of signed errors */
  double share;  /* the leading term as a fraction of the error at the largest step */
  double level;  /* the error at which the curve levels off; NaN if it does not */
  /* the slope, with its half-width, of a least-squares line through all points that are used */
  double slope, slope_half_width;
  bool begins_to_fall; /* true if the last of three pairwise orders is the largest */
  char pairs[48];      /* the last pairwise orders as a string */
  /* the size of the window, that is, the number of finest points that determine the order */
  int used;
  /* true if the order is undetermined because all errors are at round-off */
  bool exact;
  char why[160]; /* the reason if the order is undetermined */
};

/* Errors are not used if they are below this multiple of (error of the reference + floor). */
#define SHK_ORDER_MARGIN 100.0

/* Determines the limit of the order as the step goes to zero, and marks the window of points from
 * which it was found. The largest step must come first. If `by_tolerance` is true, the steps are
 * tolerances. Errors depend only loosely on tolerances, so the order is then the slope of a
 * least-squares line through all points above the floor. */
struct shk_fit shk_order_fit(struct shk_point *points, int count, bool by_tolerance);

/* These functions return the round-off floors of relative errors, which are derived in order.c. The
 * first returns the floor for the states after `steps` steps, which span the time `until`. The
 * second returns the floor for the multipliers if the steps have the length `step`. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
