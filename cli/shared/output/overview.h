/* The results of a study at a glance: orders and classes of each method side by side. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_H
#define CLI_SHARED_OUTPUT_OVERVIEW_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* For people: a table for each problem and precision, a row for each integrator, with the orders as
 * value(half-width in the last digits), the energy class, and the largest constraint violations;
 * "!" follows what is falsified, "?" what is undecided; the first hundred tables of a large study.
 * Below them each reason once, and a line that counts the verdicts; without `tables` only these. */
void shk_overview_print(const struct shk_analysis *analysis, bool tables);

/* value(half-width in units of the last digits): 2.0008(8), 1.024(11). Without a half-width three
 * decimals; empty for NaN. size at least 32. */
char *shk_concise_number(char *buffer, unsigned long size, double value, double half_width);

/* Says that problems are without figures, since there are too many (plots.h). */
void shk_complain_of_left_out(const char *study, int left_out);

/* "40 held, 0 falsified, …", how many there are of each. */
void shk_print_verdicts(const int counts[SHK_VERDICTS]);

#endif
