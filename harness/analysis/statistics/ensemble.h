/*
 * Class of the energy over the members of a cell. Its uncertainty assumes that members are
 * independent; the values along one trajectory are not.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H
#define HARNESS_ANALYSIS_STATISTICS_ENSEMBLE_H

#include "harness/analysis/statistics/drift.h"

/* From this number of members on, time counts over all members: SHK_ENERGY_TIME_SCALES together,
 * and at least a tenth of that for each member. */
enum { SHK_ENSEMBLE_MEMBERS = 8 };

/* Returns the time scales for shk_energy_combine of runs over `time_scales` each. */
double shk_ensemble_time_scales(double time_scales, int members);

/* Classifies the runs of one cell's members, all at the same step; `names`: names of the members in
 * the evidence. See the source for the statistics in *drift. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs,
                           const char *const *names, int count);

#endif
