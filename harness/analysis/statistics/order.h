/* The order of convergence from an error curve. */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include "harness/analysis/statistics/expansion.h"
#include "harness/analysis/statistics/members.h"

#include <stdbool.h>

/* A point of an error curve. A fit reads the members before end_error. */
struct shk_point {
  double step;            /* or tolerance */
  double error;           /* largest over the sample times; NaN if the cell failed */
  double reference_error; /* of the reference itself, in the same norm; NaN if unknown */
  double floor;           /* round-off level; 0 if unknown */
  double *signed_errors;  /* of every component at every sample time, in the unit of `error`; the
                             same number at every step; NULL: none */
  int signed_count;
  bool in_window; /* used in the fit */

  double end_error;  /* at the last sample time; NaN if the cell failed */
  double scd, mescd; /* digits at the last sample time (engine.h); NaN if the cell failed */
  double seconds;    /* CPU, minimum of repeats; NaN if not recorded */
  double work;       /* evaluations of H_q + jacobian; NaN if not recorded */
  /* Statistics of the members' errors, if there are any. error, end_error, scd and mescd are then
   * each the worst member's. */
  struct shk_member_statistics members;
  /* Each component as a multiple of the reference's that is nearest over all times: the least and
   * the largest multiple, the largest distance of a component from its multiple relative to that
   * multiple, in root mean squares over the times, and their number; NaN: unknown. */
  double least_multiple, most_multiple, misfit;
  int times;
  const struct shk_record *record; /* NULL if there is none yet */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* of the limit for h -> 0 */
  double last_pair;         /* pairwise order of the two finest points */
  double trend;             /* last change of pairwise orders, signed */
  double finest_error;      /* error at the finest point used */
  double unseen; /* a term of lower order with at most this share of the error at the largest step
                    would not have been seen; NaN: unknown */
  /* What terms of each order below this one contribute at most to the errors at the largest step, in
   * the unit of `error` (struct shk_expansion); NaN: unknown. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  bool leaves;   /* pairwise orders leave the order more and more: a lower one shows late */
  bool by_signs; /* the leading term in the expansion of signed errors has given the order */
  double share;  /* of that term in the error at the largest step */
  double level;  /* remaining size of errors that fell and then stay; NaN: none, or unknown */
  double slope, slope_half_width; /* of the least-squares line through all points used */
  bool begins_to_fall;            /* the last of three pairwise orders is the largest */
  char pairs[48];                 /* the last pairwise orders, as text */
  int used;                       /* number of last points that decide (the window) */
  bool exact;                     /* undetermined because all errors are at round-off */
  char why[160];                  /* reason why undetermined */
};

/* Errors below this multiple of (reference's error + floor) are not used. */
#define SHK_ORDER_MARGIN 100.0

/* Finds the order to which an error curve tends, largest step first, and marks its window. With
 * `by_tolerance` the steps are tolerances, which errors follow only loosely: the fit is a
 * least-squares line through every point above the floor. */
struct shk_fit shk_order_fit(struct shk_point *points, int count, bool by_tolerance);

/* Return the round-off floors of relative errors: of states after `steps` steps over a time
 * `until`, and of multipliers of steps of length `step`; order.c derives them. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
