/* Reports the power of a check, that is, which changes cannot be detected by comparing a study with
 * its baseline. */
#ifndef HARNESS_CHECK_POWER_H
#define HARNESS_CHECK_POWER_H

#include "harness/check/baseline.h"
#include "harness/plan/plan.h"
#include "harness/study/study.h"
#include <stdio.h>

/* Prints one line for each kind of change that would go unnoticed: drifts too small to be detected
 * by the slopes, changes within the bands, values that are not compared, claims without a measure,
 * work that is not counted, and systems and times that no run covers. This does not run any
 * cells. */
void shk_power_print(FILE *file, const struct shk_study *study, const struct shk_plan *plan,
                     const struct shk_baseline *baseline);

#endif
