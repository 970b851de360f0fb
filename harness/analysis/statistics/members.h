/*
 * Statistics of one quantity over the members of a cell. Members are starts of an ensemble and
 * assumed to be independent. The half-width is that of Student's t, 95 %, of their mean, and refers
 * to the ensemble from which they are sampled. It has no such meaning for a scan over a parameter.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_MEMBERS_H
#define HARNESS_ANALYSIS_STATISTICS_MEMBERS_H

#include <stddef.h>

struct shk_member_statistics {
  int count;               /* number of members; if it is 0, all other fields are 0 */
  double mean, half_width; /* half-width NaN for one member */
  double least, largest;
  int worst; /* index from 0 of the member with the value that is largest in size, or NaN */
};

/* Computes the statistics of every stride-th value. A NaN among them makes all numbers NaN except
 * the member. */
struct shk_member_statistics shk_member_statistics(const double *values, size_t stride, int count);
/* Returns the half-width for another confidence, two-sided, of every stride-th value: 0.95 is that
 * of half_width. */
double shk_member_half_width(const double *values, size_t stride, int count, double confidence);

#endif
