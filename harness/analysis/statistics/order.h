/* The order of convergence from an error curve. */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include "harness/analysis/statistics/expansion.h"
#include "harness/analysis/statistics/members.h"

#include <stdbool.h>

/* A point of an error curve. A fit reads only the members before end_error. */
struct shk_point {
  double step;            /* step or tolerance */
  double error;           /* largest over the sample times; NaN if the cell failed */
  double reference_error; /* error of the reference itself, in the same norm; NaN if unknown */
  double floor;           /* round-off level; 0 if unknown */
  /* errors of every component at every sample time, in the unit of `error`; the same number at
   * every step; NULL if there are none */
  double *signed_errors;
  int signed_count;
  bool in_window; /* true if the fit used this point */

  double end_error;  /* error at the last sample time; NaN if the cell failed */
  double scd, mescd; /* correct digits at the last sample time (engine.h); NaN if the cell failed */
  double seconds;    /* least CPU time of the repeats; NaN if not recorded */
  double work;       /* evaluations of H_q plus Jacobians; NaN if not recorded */
  /* Statistics of the members' errors, if there are members. error, end_error, scd and mescd are
   * then each those of the worst member. */
  struct shk_member_statistics members;
  /* Each component is approximated by the nearest multiple of the reference's component over all
   * times. These are the least and the largest multiple, the largest distance of a component from
   * its multiple relative to that multiple (as root mean squares over the times), and the number of
   * times. NaN if unknown. */
  double least_multiple, most_multiple, misfit;
  int times;
  const struct shk_record *record; /* NULL if there is no record yet */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* of the limit for h → 0 */
  double last_pair;         /* order between the two finest points */
  double trend;             /* last change of the pairwise orders, with its sign */
  double finest_error;      /* error at the finest point that was used */
  /* a term of lower order with at most this share of the error at the largest step would have gone
   * unnoticed; NaN if unknown */
  double unseen;
  /* The most that terms of each lower order contribute to the errors at the largest step, in the
   * unit of `error` (struct shk_expansion). NaN if unknown. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  /* pairwise orders move further and further away, so that a lower order will show later */
  bool leaves;
  bool by_signs; /* true if the expansion of signed errors has given the order */
  double share;  /* share of the leading term in the error at the largest step */
  double level;  /* size at which errors that fell remain; NaN: they do not, or unknown */
  double slope, slope_half_width; /* of the least-squares line through all points that were used */
  bool begins_to_fall;            /* true if the last of three pairwise orders is the largest */
  char pairs[48];                 /* the last pairwise orders as text */
  int used;                       /* the last points that decide (the window) */
  bool exact;                     /* true if undetermined because all errors are at round-off */
  char why[160];                  /* reason why undetermined */
};

/* Errors below this multiple of (error of the reference + floor) are not used. */
#define SHK_ORDER_MARGIN 100.0

/* Finds the order to which an error curve tends, and marks the window of points that decide. The
 * largest step comes first. With `by_tolerance` the steps are tolerances, which errors follow only
 * loosely, and the fit is a least-squares line through every point above the floor. */
struct shk_fit shk_order_fit(struct shk_point *points, int count, bool by_tolerance);

/* Return the round-off floors of relative errors: of states after `steps` steps over a time
 * `until`, and of multipliers of steps of length `step`. order.c derives both. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
