/*
 * Computes the median of paired measurements, such as ratios of two times that were measured
 * alternately. If other processes disturb only a few pairs, this has little effect on the median.
 */
#ifndef FOUNDATION_PAIRED_H
#define FOUNDATION_PAIRED_H

/* The minimum number of pairs required to compute a half-width. */
enum { SHK_LEAST_PAIRS = 9 };

struct shk_median {
  double value;
  /* the distance within which the true median lies in 99 out of 100 cases; NaN if there are too few
   * pairs */
  double half_width;
};

/* Sorts the numbers and returns their median. There must be at least one number. The true median
 * lies between two order statistics, whatever the distribution, because each number is equally
 * likely to be above or below it, like the toss of a coin (David & Nagaraja, Order Statistics,
 * 2003, 7.1). The half-width is the distance to the farther of these two order statistics. */
struct shk_median shk_median_of_pairs(double *numbers, int count);

#endif
