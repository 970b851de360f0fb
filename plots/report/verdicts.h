/* The verdicts of a study in its report. Private to plots/report/. */
#ifndef PLOTS_REPORT_VERDICTS_H
#define PLOTS_REPORT_VERDICTS_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* Writes for each method what did not hold, with its reason and what to do, the methods with the
 * worst verdicts first; then the methods that hold all they claim; then a folded table of all
 * values with each verdict. */
void shk_put_verdicts(FILE *out, const struct shk_analysis *analysis);

#endif
