/*
 * Means and slopes along a run, with their standard errors. Successive values are correlated. The
 * run is therefore cut into 32 blocks of nearly equal length (fewer if it has fewer intervals),
 * whose means are treated as independent (H. Flyvbjerg & H. G. Petersen, J. Chem. Phys. 91 (1989)
 * 461). The errors are too small if the correlation time of the motion exceeds a block.
 */
#ifndef MEASURES_BLOCK_MEANS_H
#define MEASURES_BLOCK_MEANS_H

#include "measures/reduction.h"

struct shk_estimate {
  /* NaN for fewer than 4 blocks, except that one block is enough for the mean */
  double value, error;
};

/* Returns the mean of the values after the start, excluding those of an incomplete last
 * interval. */
struct shk_estimate shk_mean_along(const struct shk_reduction *series);
/* Returns the slope in time of the least-squares line through the block means. */
struct shk_estimate shk_slope_along(const struct shk_reduction *series);
/* Adds the scalars "name" and "name-error", both multiplied by `unit`, unless they are NaN. */
void shk_estimate_add(struct shk_outcome *outcome, const char *name, struct shk_estimate estimate,
                      double unit);

#endif
