/*
 * Seconds of two machines, versions or days, compared as ratios, since seconds are not comparable.
 * Each timing is already the least of several repeats; the timings of one integrator on several
 * problems repeat the ratio.
 */
#ifndef HARNESS_CHECK_TIMING_H
#define HARNESS_CHECK_TIMING_H

#include "harness/check/compare.h"
#include <stdio.h>

/* Prints a line for each integrator and precision that both sides timed, with the median of its
 * ratios, their range and their number, and a line for each outlier; each begins with `prefix`. */
void shk_timing_print(FILE *file, const char *prefix, const struct shk_comparison *comparison);

#endif
