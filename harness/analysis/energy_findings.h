/* Findings about the energy: scaling of its error with the step, and its class over a long run. */
#ifndef HARNESS_ANALYSIS_ENERGY_FINDINGS_H
#define HARNESS_ANALYSIS_ENERGY_FINDINGS_H

#include "harness/analysis/families/reporter.h"

void shk_report_energy(struct shk_reporter *c, const struct shk_family *family);

#endif
