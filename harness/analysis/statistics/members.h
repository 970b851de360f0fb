/*
 * Statistics of one quantity over the members of a cell. Members are starts of an ensemble and
 * assumed to be independent. The half-width, by Student's t for 95 %, is that of their mean as an
 * estimate for the ensemble. It has no such meaning for a scan over a parameter.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_MEMBERS_H
#define HARNESS_ANALYSIS_STATISTICS_MEMBERS_H

#include <stddef.h>

struct shk_member_statistics {
  int count;               /* number of members; if it is 0, all other fields are 0 */
  double mean, half_width; /* half-width NaN for one member */
  double least, largest;
  int worst; /* index from 0 of the member whose value is largest in size, or the first NaN */
};

/* Computes the statistics of `count` values, every stride-th in the array. A NaN among them makes
 * all fields NaN except count and worst. */
struct shk_member_statistics shk_member_statistics(const double *values, size_t stride, int count);
/* Returns the half-width for a two-sided confidence (0.95 in half_width); NaN for fewer than two
 * values. */
double shk_member_half_width(const double *values, size_t stride, int count, double confidence);

#endif
