/*
 * The order of convergence, read off an error curve.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include <stdbool.h>

/* An error at a step, and what it is worth. */
struct shk_step_error {
  double step;            /* or tolerance */
  double error;           /* NaN where there is none */
  double reference_error; /* of what it was taken against; NaN if unknown */
  double floor;           /* below which round-off rules */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* p ± max(2 standard errors, last pairwise change) */
  double intercept;         /* log error = intercept + order log step */
  double last_pair;         /* the order of the two finest points of the window */
  double trend;             /* last pairwise change, signed */
  double finest_error;      /* of the finest point of the window */
  int first, last;          /* points of the window, indices into the curve; -1: none */
  bool exact;               /* undetermined because all errors are at round-off */
  char why[160];            /* when undetermined */
};

/* Successive pairwise orders of the asymptotic window differ by less than this. */
#define SHK_ORDER_SETTLED 0.05
/* Errors below so many times (reference's error + floor) do not count. */
#define SHK_ORDER_MARGIN 100.0

/* Fits log error = intercept + order · log step in the asymptotic window of the errors (largest
 * step first); in_window (may be NULL) tells which of them are in it. `settled` is
 * SHK_ORDER_SETTLED, or infinity to take every point above the floor (adaptive integrators: errors
 * follow the tolerance only loosely). */
struct shk_fit shk_order_fit(bool *in_window, const struct shk_step_error *errors, int count,
                             double settled);

/* The round-off floors of relative errors after `steps` steps of length `step` over a time `until`
 * on a problem of this time scale; see order.c for where they come from. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
