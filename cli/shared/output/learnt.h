/* What a study has taught, in a few lines: `run`, `show`, reports. */
#ifndef CLI_SHARED_OUTPUT_LEARNT_H
#define CLI_SHARED_OUTPUT_LEARNT_H

#include "harness/analysis/analysis.h"

/* The order of q, the class of the energy and the hidden constraint, each with the integrators that
 * have it, at their worst over all problems; nothing of what was not measured. */
void shk_learnt_print(const struct shk_analysis *analysis, int width);

#endif
