/* What an analysis finds, as a table: `run` and `show`. */
#ifndef CLI_SHARED_OUTPUT_FINDINGS_TABLE_H
#define CLI_SHARED_OUTPUT_FINDINGS_TABLE_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* study,problem,integrator,precision,quantity,value,uncertainty,expected,verdict; for programs also
 * expected_value,expected_band,reason: what is expected in two numbers, and why. */
void shk_findings_init(struct shk_table *table, enum shk_format format);
/* `digits` of the values: 17 read back to the same bits. `quantity`: only those that begin with it;
 * NULL: all.
 */
void shk_findings_add_rows(struct shk_table *table, const char *study,
                           const struct shk_analysis *analysis, const char *quantity, int digits);
/* The same for LaTeX: values with their half-widths in one column. Without a study (NULL) its
 * column stays empty. */
void shk_findings_add_measured(struct shk_table *table, const char *study,
                               const struct shk_analysis *analysis, const char *quantity);
#endif
