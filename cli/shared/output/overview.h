/* Prints an overview of a study's results, in which the orders and classes of all methods appear
 * side by side. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_H
#define CLI_SHARED_OUTPUT_OVERVIEW_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* Prints an overview on a terminal. It consists of tables with one row per integrator, the outcomes
 * of runs through singular points, the findings that did not hold and the reasons for them, and a
 * line that contains the number of findings with each verdict. If `tables` is false, only the last
 * two are printed. Unless the study is `finished`, findings that could be changed by missing cells
 * are omitted. Returns the number of omitted findings. */
int shk_overview_print(const struct shk_analysis *analysis, bool tables, bool finished);

/* Writes the tables, outcomes and growth rates as HTML. */
void shk_overview_print_html(FILE *file, const struct shk_analysis *analysis);

/* Returns true if the verdict is falsified or failed. */
bool shk_is_bad_for_exit(enum shk_verdict verdict);
/* Prints a word in the verdict's colour, followed by text that is wrapped at the width of the
 * terminal. */
void shk_print_verdict(enum shk_verdict verdict, const char *word, const char *text);
/* Prints the number of findings with each verdict, as in "40 held, 0 falsified, …". */
void shk_print_verdicts(const int counts[SHK_VERDICTS]);

#endif
