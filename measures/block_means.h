/*
 * Means and slopes along a run with standard errors. Values that follow each other depend on each other, so that
 * the run is cut into 32 blocks of equal length (fewer, if it has fewer intervals), whose means are taken for
 * independent (H. Flyvbjerg & H. G. Petersen, J. Chem. Phys. 91 (1989) 461): errors are too small where the
 * memory of the motion is longer than a block.
 */
#ifndef MEASURES_BLOCK_MEANS_H
#define MEASURES_BLOCK_MEANS_H

#include "measures/reduction.h"

struct shk_estimate {
  double value, error; /* NaN where there are too few blocks */
};

/* The mean of all values after the start. */
struct shk_estimate shk_mean_along(const struct shk_reduction *series);
/* The slope in time of the straight line through the means of the blocks, by least squares. */
struct shk_estimate shk_slope_along(const struct shk_reduction *series);
/* Adds "name" and "name-error", both times `unit`. */
void shk_estimate_add(struct shk_outcome *outcome, const char *name, struct shk_estimate estimate,
                      double unit);

#endif
