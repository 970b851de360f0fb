/* Tables of `show` for other programs: a row for each number in a store. */
#ifndef CLI_COMMANDS_SHOW_ROWS_H
#define CLI_COMMANDS_SHOW_ROWS_H

#include "cli/shared/study/load_studies.h"
#include "results/export/export.h"

enum shk_rows {
  SHK_ROWS_NONE,
  SHK_ROWS_CELLS,   /* status and reason of each cell */
  SHK_ROWS_RECORDS, /* each number of each record */
  SHK_ROWS_ERRORS,  /* the error of each block at each sample time */
  SHK_ROWS_SERIES   /* the intervals of each series */
};

void shk_rows_init(struct shk_table *table, enum shk_rows rows);
/* Adds the rows of a study; numbers have `digits` digits. */
void shk_rows_add(struct shk_table *table, enum shk_rows rows, const struct shk_study_job *loaded,
                  int digits);

#endif
