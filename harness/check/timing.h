/*
 * Seconds of two machines, versions or days: as ratios, since the seconds themselves mean nothing
 * elsewhere. Each timing is already the least of several repeats; the timings of one integrator at
 * several steps and on several problems repeat the ratio.
 */
#ifndef HARNESS_CHECK_TIMING_H
#define HARNESS_CHECK_TIMING_H

#include <stdbool.h>
#include <stdio.h>

struct shk_timing {
  const char *group; /* what one ratio is for: an integrator and a precision */
  const char *what;  /* what was timed */
  double was, is;    /* seconds, above zero */
};

struct shk_timing_ratio {
  const char *group;
  int count, outliers;
  double median;    /* of is/was */
  double low, high; /* of those that are no outliers */
};

/* Ratios of each group, in the order of their first timing; the caller frees *ratios. *outlier (of
 * each timing, or NULL) is set where the logarithm of its ratio is further from the group's median
 * than 3.5 times the median absolute deviation, scaled to a standard deviation (Iglewicz & Hoaglin
 * 1993), and than a factor of 1.2; at least 5 timings in the group. */
int shk_timing_ratios(struct shk_timing_ratio **ratios, char *outlier,
                      const struct shk_timing *timings, int count);

/* A line for each group and for each outlier, each begun by `prefix`. */
void shk_timing_print(FILE *file, const char *prefix, const struct shk_timing *timings, int count);

#endif
