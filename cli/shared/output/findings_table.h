/* Findings of an analysis as a table, for `run` and `show`. */
#ifndef CLI_SHARED_OUTPUT_FINDINGS_TABLE_H
#define CLI_SHARED_OUTPUT_FINDINGS_TABLE_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* Columns: study,problem,integrator,precision,quantity,value,uncertainty,expected,verdict; for
 * programs also expected_value,expected_band,reason: the expectation as two numbers, and its
 * source. */
void shk_findings_init(struct shk_table *table, enum shk_format format);
/* Adds rows with `digits` digits; 17 read back to the same bits. `quantity`: prefix of the
 * quantities to add; NULL: all. */
void shk_findings_add_rows(struct shk_table *table, const char *study,
                           const struct shk_analysis *analysis, const char *quantity, int digits);
/* The same for LaTeX: values with their half-widths in one column. If `study` is NULL, its column
 * stays empty. */
void shk_findings_add_measured(struct shk_table *table, const char *study,
                               const struct shk_analysis *analysis, const char *quantity);
#endif
