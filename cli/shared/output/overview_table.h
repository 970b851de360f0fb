/* One table of the overview: the integrators on a problem, a row each. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "harness/study/study.h"
#include "results/record/finding.h"

struct shk_overview_row;

/* Zeroed, it is empty. */
struct shk_overview_table {
  bool costs; /* what an error costs, sorted by that, in place of orders, energies and violations */
  int row_count;
  struct shk_overview_row *rows;
};

/* Adds the row of one integrator if findings[which[0]], … have a column; of several for the same,
 * as of precisions and horizons, the one that says most. They must stay as they are. */
void shk_overview_table_add(struct shk_overview_table *table, const struct shk_finding *findings,
                            const int *which, int count);
/* In lines of this width: the columns that are not empty, as many as there is room for. */
void shk_overview_table_print(struct shk_overview_table *table, int width);
/* All of them in LaTeX, under a title, the integrators as the study's labels call them. */
void shk_overview_table_print_latex(struct shk_overview_table *table, const char *title,
                                    const struct shk_study *study);
void shk_overview_table_clear(struct shk_overview_table *table);

/* value(half-width in units of the last digits): 2.008(8), 1.024(11); one digit of the half-width,
 * two if the first is 1, rounded up. Without a half-width three decimals; empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif
