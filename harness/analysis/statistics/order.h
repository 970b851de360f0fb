/* The order of convergence, determined from an error curve. */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include "harness/analysis/statistics/expansion.h"
#include "harness/analysis/statistics/members.h"

#include <stdbool.h>

/* A point of an error curve. A fit reads only the fields before end_error. */
struct shk_point {
  double step;            /* step or tolerance */
  double error;           /* largest over the sample times; NaN if the cell failed */
  double reference_error; /* error of the reference in the same norm; NaN if unknown */
  double floor;           /* round-off level; 0 if unknown */
  /* errors of every component at every sample time, in the unit of `error`; every step has the same
   * number of them; NULL if there are none */
  double *signed_errors;
  int signed_count;
  bool in_window; /* true if the fit used this point */

  double end_error;  /* error at the last sample time; NaN if the cell failed */
  double scd, mescd; /* correct digits at the last sample time (engine.h); NaN if the cell failed */
  double seconds;    /* smallest CPU time of the repeats; NaN if not recorded */
  double work;       /* evaluations of H_q plus Jacobians; NaN if not recorded */
  /* Statistics of the members' errors if there are members. error, end_error, scd and mescd are
   * then those of the worst member. */
  struct shk_member_statistics members;
  /* Each component is approximated by the nearest multiple of the reference's component over all
   * times. These fields contain the smallest and largest multiple, the largest distance of a
   * component from its multiple relative to that multiple (as root mean squares over the times),
   * and the number of times. NaN if unknown. */
  double least_multiple, most_multiple, misfit;
  int times;
  const struct shk_record *record; /* NULL if there is no record yet */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* the limit for h → 0 */
  double last_pair;         /* order between the two finest points */
  double trend;             /* last change of the pairwise orders, with its sign */
  double finest_error;      /* error at the finest point that was used */
  /* a term of lower order with at most this share of the error at the largest step would remain
   * unnoticed; NaN if unknown */
  double unseen;
  /* The maximum contribution of terms of each lower order to the errors at the largest step, in the
   * unit of `error` (struct shk_expansion). NaN if unknown. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  /* true if the pairwise orders move away at an increasing rate, so smaller steps will show a lower
   * order */
  bool leaves;
  bool by_signs; /* true if the order was determined from the expansion of signed errors */
  double share;  /* share of the leading term in the error at the largest step */
  double level;  /* size at which the errors become level; NaN if they do not */
  double slope, slope_half_width; /* of the least-squares line through all used points */
  bool begins_to_fall;            /* true if the last of three pairwise orders is the largest */
  char pairs[48];                 /* the last pairwise orders as text */
  int used;                       /* number of last points that decide (the window) */
  bool exact;                     /* true if undetermined because all errors are at round-off */
  char why[160];                  /* reason why undetermined */
};

/* Errors below this multiple of (error of the reference + floor) are not used. */
#define SHK_ORDER_MARGIN 100.0

/* Determines the order to which an error curve tends, and marks the window of points that decide.
 * The largest step must come first. If `by_tolerance` is true, the steps are tolerances, which
 * errors follow only loosely, and the fit is a least-squares line through every point above the
 * floor. */
struct shk_fit shk_order_fit(struct shk_point *points, int count, bool by_tolerance);

/* Return the round-off floors of relative errors: of the states after `steps` steps over a time
 * `until`, and of the multipliers for steps of length `step`. order.c derives both. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
