/* Writes tables for LaTeX that fit in a column of a paper. Each shows one quantity, for methods ×
 * problems. */
#ifndef CLI_SHARED_OUTPUT_LATEX_TABLES_H
#define CLI_SHARED_OUTPUT_LATEX_TABLES_H

#include "cli/shared/output/findings_table.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"
#include <stdio.h>

struct shk_latex_layout {
  struct shk_asked asked; /* quantities; if there are none, those of the overview */
  bool problems_in_rows;  /* true: one row for each problem; false: one for each method */
  double width;           /* cm */
};

/* Prints a table for each quantity, using the study's labels. If there are several precisions and
 * horizons, the most significant value is shown, as in the overview. Rows and columns without a
 * value are left out. If a value is falsified or undecided, or missing because a run failed or was
 * refused, a footnote gives the reason. Returns the number of tables. */
int shk_latex_tables_print(FILE *file, const struct shk_analysis *analysis,
                           const struct shk_study *study, const struct shk_latex_layout *layout);

#endif
