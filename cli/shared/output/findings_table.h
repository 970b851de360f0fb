/* Findings of an analysis as a table, for `run` and `show`. */
#ifndef CLI_SHARED_OUTPUT_FINDINGS_TABLE_H
#define CLI_SHARED_OUTPUT_FINDINGS_TABLE_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* Makes the table. Columns: study,problem,integrator,precision,quantity,value,uncertainty,expected,
 * verdict; for CSV and JSON also expected_value,expected_band (the expectation as two numbers) and
 * reason. */
void shk_findings_init(struct shk_table *table, enum shk_format format);
/* Adds a row for each finding. Numbers have all digits, four in a table for people; for LaTeX a
 * value and its half-width are in one column. `study` NULL: its column stays empty; `quantity`:
 * prefix of the quantities to add; NULL: all. */
void shk_findings_add(struct shk_table *table, enum shk_format format, const char *study,
                      const struct shk_analysis *analysis, const char *quantity);

#endif
