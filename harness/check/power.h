/* The power of a check: what cannot be detected by comparing a study with its baseline. */
#ifndef HARNESS_CHECK_POWER_H
#define HARNESS_CHECK_POWER_H

#include "harness/check/baseline.h"
#include "harness/plan/plan.h"
#include "harness/study/study.h"
#include <stdio.h>

/* Prints a line for each kind of change that would go unnoticed: drifts that are smaller than the
 * slopes can detect, changes within the bands, values that are not compared, claims without a
 * measure, work that is not counted, and systems and times that no run covers. No cell is run for
 * this. */
void shk_power_print(FILE *file, const struct shk_study *study, const struct shk_plan *plan,
                     const struct shk_baseline *baseline);

#endif
