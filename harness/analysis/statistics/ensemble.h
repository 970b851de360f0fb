/*
 * What the energy does over the members of a cell: a class with an uncertainty that one trajectory
 * cannot give, since its values along the run are not independent and members are.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H
#define HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H

#include "harness/analysis/statistics/drift.h"

/* With so many members, time counts member by member: SHK_ENERGY_TIME_SCALES in all, of which each
 * member has a tenth at least. */
enum { SHK_ENSEMBLE_MEMBERS = 8 };

/* The time scales that count for shk_energy_combine, of runs over this many each. */
double shk_ensemble_time_scales(double time_scales, int members);

/* The class of the runs of one cell's members, all at the same step. In *drift, slope is the mean
 * of the members' own and slope_half_width that of Student's t over them, 95 %; oscillation the
 * mean; exponent that of the growth of the spread between members with time; largest and floor
 * those of the worst. `names`: what the members are called in the evidence. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs,
                           const char *const *names, int count);

#endif
