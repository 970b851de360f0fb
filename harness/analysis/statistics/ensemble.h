/*
 * What the energy does over the lanes of a cell: a class with an uncertainty that one trajectory
 * cannot give, since its values along the run are not independent and lanes are.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H
#define HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H

#include "harness/analysis/statistics/drift.h"

/* With so many lanes, time counts lane by lane: SHK_ENERGY_TIME_SCALES in all, of which each lane
 * has a tenth at least. */
enum { SHK_ENSEMBLE_LANES = 8 };

/* The time scales that count for shk_energy_combine, of runs over this many each. */
double shk_ensemble_time_scales(double time_scales, int lanes);

/* The class of the runs of one cell's lanes, all at the same step. In *drift, slope is the mean of
 * the lanes' own and slope_half_width that of Student's t over them, 95 %; oscillation the mean;
 * exponent that of the growth of the spread between lanes with time; largest and floor those of the
 * worst. `names`: what the lanes are called in the evidence. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs,
                           const char *const *names, int count);

#endif
