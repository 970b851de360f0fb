/* One table of the overview: the integrators on a problem, a row each. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "harness/study/study.h"
#include "results/record/finding.h"

struct shk_overview_row;

/* A table of one problem: orders, energies and violations, or what an error costs, sorted by that.
 * Columns for several problems together: orders and what six digits cost, or energies, violations
 * and a word. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,
  SHK_OVERVIEW_COSTS,
  SHK_OVERVIEW_ACCURACY,
  SHK_OVERVIEW_KEPT,
  SHK_OVERVIEW_PARTS
};

/* Zeroed, it is an empty one of a problem. */
struct shk_overview_table {
  enum shk_overview_part part;
  int row_count;
  struct shk_overview_row *rows;
};

/* True if a finding has a column in a table of that part. */
bool shk_overview_table_has(enum shk_overview_part part, const struct shk_finding *f);
/* Adds the row of one integrator if findings[which[0]], … have a column; of several for the same,
 * as of precisions, horizons and problems, the one that says most. They must stay as they are. */
void shk_overview_table_add(struct shk_overview_table *table, const struct shk_finding *findings,
                            const int *which, int count);
/* In lines of this width: the columns that are not empty, as many as there is room for. */
void shk_overview_table_print(struct shk_overview_table *table, int width);
/* All of them in LaTeX, under a title, the integrators as the study's labels call them. */
void shk_overview_table_print_latex(struct shk_overview_table *table, const char *title,
                                    const struct shk_study *study);
/* Explains costs of several problems, and the words that rows end with, a line each. */
void shk_overview_table_explain(const struct shk_overview_table *table, int width);
void shk_overview_table_clear(struct shk_overview_table *table);

/* value(half-width in units of the last digits): 2.008(8), 1.024(11); one digit of the half-width,
 * two if the first is 1, rounded up. Without a half-width three decimals; empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif
