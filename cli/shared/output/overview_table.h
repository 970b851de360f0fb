/* One table of the overview: the integrators on a problem, a row each. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "harness/study/study.h"
#include "results/record/finding.h"

/* Kinds of table, two for one problem and two for several problems together. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,  /* orders, energies and violations */
  SHK_OVERVIEW_COSTS,    /* the cost of an error, by which rows are sorted */
  SHK_OVERVIEW_ACCURACY, /* several: orders and the cost of an error of 1e-6 */
  SHK_OVERVIEW_KEPT,     /* several: energies, violations and a word */
  SHK_OVERVIEW_PARTS
};

/* Index after the last finding of the integrator (a row) whose findings begin at `begin`. */
int shk_row_end(const struct shk_finding *const *f, int count, int begin);

/* Prints findings, sorted by integrator, that have columns in a table of that part: a row for each
 * integrator under a title. Of several findings for one column (precisions, horizons, problems) the
 * most significant is shown. Columns are those that are not empty, as many as fit the width, with
 * explanations below; or, for a study, all in LaTeX with the study's labels. Returns false if there
 * is no row. */
bool shk_overview_table_print(const struct shk_finding *const *f, int count,
                              enum shk_overview_part part, const struct shk_study *latex);

/* Formats value(half-width in units of the last digits): 2.008(8), 1.024(11), with at most three
 * decimals. The half-width has one digit, two if the first is 1, and is rounded up. Without a
 * half-width below 10 three decimals alone; empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif
