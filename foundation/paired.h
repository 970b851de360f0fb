/*
 * The median of paired measurements, such as ratios of two times that were measured in turn. A
 * disturbance that lasts for a few pairs, as from other processes, changes the median little.
 */
#ifndef FOUNDATION_PAIRED_H
#define FOUNDATION_PAIRED_H

/* Fewer pairs than this give no half-width. */
enum { SHK_LEAST_PAIRS = 9 };

struct shk_median {
  double value;
  /* in 99 of 100 cases the true median is within this distance; NaN: too few pairs */
  double half_width;
};

/* Sorts the numbers, of which there must be at least one, and returns their median. The true median
 * lies between two order statistics, whatever the distribution, because each number is equally likely to be above or below it, like the toss of a coin (David & Nagaraja, Order Statistics, 2003, 7.1). The half-width is the
 * distance to the farther of the two. */
struct shk_median shk_median_of_pairs(double *numbers, int count);

#endif
