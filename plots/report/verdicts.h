/* The verdicts in the report of a study. Private to plots/report/. */
#ifndef PLOTS_REPORT_VERDICTS_H
#define PLOTS_REPORT_VERDICTS_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* Writes, for each method, the claims that did not hold, with the reason and advice on what to do.
 * Methods with the worst verdicts come first, followed by the methods whose claims all hold, and
 * then by a folded table of all values for each verdict. */
void shk_put_verdicts(FILE *out, const struct shk_analysis *analysis);

#endif
