/*
 * The order of convergence, read off an error curve.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_ORDER_H
#define HARNESS_ANALYSIS_STATISTICS_ORDER_H

#include "harness/analysis/analysis.h"

/* Successive pairwise orders of the asymptotic window differ by less than this. */
#define SHK_ORDER_SETTLED 0.05
/* Errors below so many times (reference's error + floor) do not count. */
#define SHK_ORDER_MARGIN 100.0

/* Fits log error = intercept + order · log step in the asymptotic window of `points` (largest step
 * first), and marks the window in them. `settled` is SHK_ORDER_SETTLED, or infinity to take every
 * point above the floor (adaptive integrators: errors follow the tolerance only loosely). */
struct shk_fit shk_order_fit(struct shk_point *points, int count, double settled);

/* The round-off floors of relative errors after `steps` steps of length `step` over a time `until`
 * on a problem of this time scale; see order.c for where they come from. */
double shk_state_floor(double epsilon, double steps, double until, double time_scale);
double shk_multiplier_floor(double epsilon, double step, double time_scale);

#endif
