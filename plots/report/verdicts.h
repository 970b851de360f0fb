/* The verdicts in the report of a study. Private to plots/report/. */
#ifndef PLOTS_REPORT_VERDICTS_H
#define PLOTS_REPORT_VERDICTS_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* For each method, writes the claims that did not hold, the reasons, and advice on what to do.
 * Methods with the worst verdicts come first. They are followed by a list of the methods whose
 * claims all hold and by a collapsed table of values for each verdict. */
void shk_put_verdicts(FILE *out, const struct shk_analysis *analysis);

#endif
