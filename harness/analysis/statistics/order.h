/* The order of convergence from an error curve. */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include <stdbool.h>

/* An error at a step, and its reliability. */
struct shk_step_error {
  double step;                 /* or tolerance */
  double error;                /* NaN if there is none */
  double reference_error;      /* of the solution that it is compared with; NaN if unknown */
  double floor;                /* round-off level */
  const double *signed_errors; /* of every component at every sample time, in the unit of `error`,
                                  as many at every step; NULL: none */
  int signed_count;
};

struct shk_fit {
  bool determined;
  double order, half_width; /* of the limit for h -> 0 */
  double intercept;         /* log e = intercept + order log step, through the finest point */
  double last_pair;         /* the order of the two finest points */
  double trend;             /* last pairwise change, signed */
  double finest_error;      /* at the finest point of the window */
  double unseen; /* a term of lower order with at most this share of the error at the largest step
                    would not have been seen; NaN: unknown */
  bool by_signs; /* from signed errors, whose expansion shows the leading term */
  double share;  /* of that term in the error at the largest step */
  double level;  /* remaining size of errors that fell and then stay; NaN: none, or unknown */
  double slope, slope_half_width; /* of the least-squares line through all points used */
  bool begins_to_fall;            /* the last of three pairwise orders is the largest */
  char pairs[48];                 /* the last pairwise orders, as text */
  int first, last;                /* points of the window, indices into the curve; -1: none */
  bool exact;                     /* undetermined because all errors are at round-off */
  char why[160];                  /* when undetermined */
};

/* Errors below this multiple of (reference's error + floor) are not used. */
#define SHK_ORDER_MARGIN 100.0

/* Finds the order to which an error curve tends, largest step first; in_window (may be NULL) marks
 * the points used. With `by_tolerance` the steps are tolerances, which errors follow only loosely:
 * the fit is a least-squares line through every point above the floor. */
struct shk_fit shk_order_fit(bool *in_window, const struct shk_step_error *errors, int count,
                             bool by_tolerance);

/* Return the round-off floors of relative errors after `steps` steps of length `step` over a time
 * `until` on a problem of this time scale; order.c derives them. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
