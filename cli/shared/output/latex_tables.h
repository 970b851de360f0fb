/* Writes LaTeX tables that fit into one column of a paper. Each table shows one quantity for all
 * combinations of methods and problems. */
#ifndef CLI_SHARED_OUTPUT_LATEX_TABLES_H
#define CLI_SHARED_OUTPUT_LATEX_TABLES_H

#include "cli/shared/output/findings_table.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"
#include <stdio.h>

struct shk_latex_layout {
  struct shk_asked asked; /* the requested quantities; if empty, those in the overview are used */
  bool problems_in_rows;  /* true for one row per problem, false for one row per method */
  double width;           /* in cm */
};

/* Prints one table per quantity, using the study's labels. If there are several precisions or
 * horizons, the most significant value is shown, as in the overview. Rows and columns without any
 * values are omitted. If a value is falsified or undecided, or is missing because a run failed or
 * was refused, a footnote states the reason. Returns the number of tables. */
int shk_latex_tables_print(FILE *file, const struct shk_analysis *analysis,
                           const struct shk_study *study, const struct shk_latex_layout *layout);

#endif
