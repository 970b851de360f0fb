/*
 * The median of paired measurements, such as ratios of two times that were measured in turn. What
 * disturbs one pair for a while, as other processes do, moves the median little.
 */
#ifndef FOUNDATION_PAIRED_H
#define FOUNDATION_PAIRED_H

/* The least number of pairs for which shk_median_of_pairs has a half-width. */
enum { SHK_LEAST_PAIRS = 9 };

struct shk_median {
  double value;
  double half_width; /* in 99 of 100 cases the true median is within it; NaN: too few pairs */
};

/* Sorts the numbers, at least one, and returns their median. The half-width is the distance of the
 * farther of two order statistics between which the true median is, whatever the distribution:
 * each number is above it or below it like a coin (David & Nagaraja, Order Statistics, 2003, 7.1). */
struct shk_median shk_median_of_pairs(double *numbers, int count);

#endif
