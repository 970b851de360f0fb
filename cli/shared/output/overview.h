/* Prints an overview of the results of a study, with the orders and classes of all methods next to
 * each other. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_H
#define CLI_SHARED_OUTPUT_OVERVIEW_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* Prints an overview on a terminal. It consists of tables that have a row for each integrator, the
 * outcomes of runs through singular points, the findings that did not hold, with their reasons, and
 * a line that counts the verdicts. If `tables` is false, only the last two are printed. Unless the
 * study is `finished`, findings that its missing cells may change are left out. Returns the number
 * of these findings. */
int shk_overview_print(const struct shk_analysis *analysis, bool tables, bool finished);

/* Writes the tables, outcomes and rates as HTML. */
void shk_overview_print_html(FILE *file, const struct shk_analysis *analysis);

/* Returns true for the verdicts falsified and failed. */
bool shk_is_bad_for_exit(enum shk_verdict verdict);
/* Prints a word in the verdict's colour followed by a text, wrapped at the width of the
 * terminal. */
void shk_print_verdict(enum shk_verdict verdict, const char *word, const char *text);
/* Prints the count of each verdict, "40 held, 0 falsified, …". */
void shk_print_verdicts(const int counts[SHK_VERDICTS]);

#endif
