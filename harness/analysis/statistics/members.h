/*
 * Statistics of one quantity over the members of a cell. Members are starts of an ensemble, taken
 * to be independent: the half-width is that of Student's t, 95 %, of their mean, and holds for the
 * ensemble that they are drawn from. It is none for members that are steps of a scan.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_MEMBERS_H
#define HARNESS_ANALYSIS_STATISTICS_MEMBERS_H

#include "foundation/specifications/cell.h"

struct shk_member_statistics {
  int count;               /* of members; 0: there are none, and the rest is 0 */
  double mean, half_width; /* half-width NaN of one member */
  double least, largest;
  int worst; /* the member, from 0, whose value is the largest in size or no number */
};

/* A NaN among the values is one in all numbers but the member. */
struct shk_member_statistics shk_member_statistics(const double *values, int count);
/* Of a scalar; NaN where a member has none. */
struct shk_member_statistics shk_member_scalars(const struct shk_outcome *outcome,
                                                const char *name);
/* With another confidence, two-sided: 0.95 is that of half_width. */
double shk_member_half_width(const double *values, int count, double confidence);

#endif
