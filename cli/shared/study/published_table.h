/* The measure `published`: agreement of a study's references with the literature. */
#ifndef CLI_SHARED_STUDY_PUBLISHED_TABLE_H
#define CLI_SHARED_STUDY_PUBLISHED_TABLE_H

#include "harness/analysis/published.h"

/* Compares with the literature that comes with the program and adds the findings to the analysis.
 * Prints an error for a bad file. Clear *published either way. */
void shk_compare_published(struct shk_published *published, struct shk_analysis *analysis,
                           const struct shk_plan *plan, struct shk_records *records);
/* Prints the table and, below it, the evidence; nothing if nothing was compared. */
void shk_print_published(const struct shk_published *published);

#endif
