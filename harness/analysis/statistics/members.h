/*
 * Statistics of one quantity over the members of a cell. The members are the starts of an ensemble
 * and are assumed to be independent. The half-width is that of their mean as an estimate for the
 * entire ensemble, from Student's t at 95 %. For a parameter scan it does not have this meaning.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_MEMBERS_H
#define HARNESS_ANALYSIS_STATISTICS_MEMBERS_H

#include <stddef.h>

struct shk_member_statistics {
  int count;               /* number of members; if it is 0, all other fields are 0 */
  double mean, half_width; /* the half-width is NaN if there is only one member */
  double least, largest;
  int worst; /* 0-based index of the member with the largest absolute value, or of the first NaN */
};

/* Computes the statistics of `count` values. In the array, successive values are `stride` numbers
 * apart. If one of them is NaN, all fields except count and worst are NaN. */
struct shk_member_statistics shk_member_statistics(const double *values, size_t stride, int count);
/* Returns the half-width for a two-sided confidence level (0.95 for half_width), or NaN if there
 * are fewer than two values. */
double shk_member_half_width(const double *values, size_t stride, int count, double confidence);

#endif
