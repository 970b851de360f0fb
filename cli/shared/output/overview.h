/* Overview of the results of a study: orders and classes of all methods side by side. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_H
#define CLI_SHARED_OUTPUT_OVERVIEW_H

#include "harness/analysis/analysis.h"
#include <stdio.h>

/* Prints the tables of an overview on a terminal, each with a row for each integrator; the outcomes
 * of runs through singular points; the findings that did not hold, with their reasons; and a line
 * that counts the verdicts. Without `tables` only the last two. Unless the study is `finished`,
 * findings that its missing cells may change are left out; returns their number. */
int shk_overview_print(const struct shk_analysis *analysis, bool tables, bool finished);

/* Writes the tables, outcomes and rates as HTML. */
void shk_overview_print_html(FILE *file, const struct shk_analysis *analysis);

/* True for the verdicts falsified and failed. */
bool shk_is_bad_for_exit(enum shk_verdict verdict);
/* Prints a word in the verdict's colour and a text, wrapped at the width of the terminal. */
void shk_print_verdict(enum shk_verdict verdict, const char *word, const char *text);
/* Prints the count of each verdict, "40 held, 0 falsified, …". */
void shk_print_verdicts(const int counts[SHK_VERDICTS]);

#endif
