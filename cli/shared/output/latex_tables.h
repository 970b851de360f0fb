/* Tables for LaTeX that fit a column of a paper: one quantity each, methods × problems. */
#ifndef CLI_SHARED_OUTPUT_LATEX_TABLES_H
#define CLI_SHARED_OUTPUT_LATEX_TABLES_H

#include "cli/shared/output/findings_table.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"
#include <stdio.h>

struct shk_latex_layout {
  struct shk_asked asked; /* quantities; none: those of the overview */
  bool problems_in_rows;  /* true: a row for each problem; false: for each method */
  double width;           /* cm */
};

/* Prints a table for each quantity, with the study's labels. Of several precisions and horizons the
 * most significant value is shown, as in the overview. Rows and columns without a value are left
 * out. A value that is falsified or undecided, or absent because a run failed or was refused, has a
 * footnote with the reason. Returns the number of tables. */
int shk_latex_tables_print(FILE *file, const struct shk_analysis *analysis,
                           const struct shk_study *study, const struct shk_latex_layout *layout);

#endif
