/*
 * Computes the statistics of a quantity over the members of a cell. The members of an ensemble
 * differ in their initial states and are assumed to be independent. Their mean is an estimate for
 * the entire ensemble, and the half-width is the 95 % half-width of this estimate from Student's t.
 * For the members of a parameter scan, the half-width does not have this meaning.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_MEMBERS_H
#define HARNESS_ANALYSIS_STATISTICS_MEMBERS_H

#include <stddef.h>

struct shk_member_statistics {
  int count;               /* the number of members; if 0, all other fields are 0 as well */
  double mean, half_width; /* the half-width is NaN if there is only one member */
  double least, largest;
  int worst; /* 0-based index of the member with the largest absolute value, or of the first NaN */
};

/* Computes the statistics of `count` values that are `stride` elements apart in the array. If any
 * value is NaN, all fields except count and worst are set to NaN. */
struct shk_member_statistics shk_member_statistics(const double *values, size_t stride, int count);
/* Returns the half-width of the mean for a two-sided confidence level, or NaN if there are fewer
 * than two values. The field half_width uses the level 0.95. */
double shk_member_half_width(const double *values, size_t stride, int count, double confidence);

#endif
