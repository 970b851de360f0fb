/* One table of the overview: the integrators on a problem, a row each. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "harness/study/study.h"
#include "results/record/finding.h"

struct shk_overview_row;

/* Kinds of table. One problem: orders, energies and violations; or the cost of an error, sorted by
 * it. Several problems together: orders and the cost of six digits; or energies, violations and a
 * word. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,
  SHK_OVERVIEW_COSTS,
  SHK_OVERVIEW_ACCURACY,
  SHK_OVERVIEW_KEPT,
  SHK_OVERVIEW_PARTS
};

/* A zeroed struct is an empty table of the kind SHK_OVERVIEW_PROBLEM. */
struct shk_overview_table {
  enum shk_overview_part part;
  int row_count;
  struct shk_overview_row *rows;
};

/* True if a finding has a column in a table of that part. */
bool shk_overview_table_has(enum shk_overview_part part, const struct shk_finding *f);
/* Adds the row of one integrator if its findings have a column. Of several findings for one column
 * (precisions, horizons, problems) the most significant is shown. The findings must outlive the
 * table. */
void shk_overview_table_add(struct shk_overview_table *table, const struct shk_finding *const *f,
                            int count);
/* Prints the columns that are not empty, as many as fit the width, with explanations below; or,
 * for a study, in LaTeX and all columns, under the title and with the study's labels. */
void shk_overview_table_print(struct shk_overview_table *table, int width,
                              const struct shk_study *latex, const char *title);
void shk_overview_table_clear(struct shk_overview_table *table);

/* Formats value(half-width in units of the last digits): 2.008(8), 1.024(11). The half-width has
 * one digit, two if the first is 1, and is rounded up. Without a half-width three decimals; empty
 * for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif
