/* Findings about the temperatures of molecules: their limits as the step vanishes. */
#ifndef HARNESS_ANALYSIS_TEMPERATURE_FINDINGS_H
#define HARNESS_ANALYSIS_TEMPERATURE_FINDINGS_H

#include "harness/analysis/families/reporter.h"

void shk_report_temperatures(struct shk_reporter *c, const struct shk_family *family);

#endif
