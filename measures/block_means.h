/*
 * Means and slopes along a run, with their standard errors. Because successive values are
 * correlated, the run is divided into 32 blocks of nearly equal length (fewer if it has fewer
 * intervals), whose means are treated as independent (H. Flyvbjerg & H. G. Petersen, J. Chem. Phys.
 * 91 (1989) 461). The standard errors are underestimated if the correlation time of the motion
 * exceeds the length of a block.
 */
#ifndef MEASURES_BLOCK_MEANS_H
#define MEASURES_BLOCK_MEANS_H

#include "measures/reduction.h"

struct shk_estimate {
  /* NaN if there are fewer than 4 blocks, except for the mean, which requires only one */
  double value, error;
};

/* Returns the mean of all values after the start, excluding those in an incomplete last
 * interval. */
struct shk_estimate shk_mean_along(const struct shk_reduction *series);
/* Returns the slope (per unit time) of the least-squares line through the block means. */
struct shk_estimate shk_slope_along(const struct shk_reduction *series);
/* Adds the scalars "name" and "name-error", both multiplied by `unit`. Values that are NaN are not
 * added. */
void shk_estimate_add(struct shk_outcome *outcome, const char *name, struct shk_estimate estimate,
                      double unit);

#endif
