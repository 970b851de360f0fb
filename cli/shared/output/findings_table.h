/* Findings of an analysis as a table, for `run` and `show`. */
#ifndef CLI_SHARED_OUTPUT_FINDINGS_TABLE_H
#define CLI_SHARED_OUTPUT_FINDINGS_TABLE_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* Makes the table. Columns: study,problem,integrator,precision,quantity,value,uncertainty,expected,
 * verdict; for CSV and JSON also expected_value,expected_band (the expectation as two numbers) and
 * reason. */
void shk_findings_init(struct shk_table *table, enum shk_format format);
/* Quantities that a command names, by the beginnings of their names. */
struct shk_asked {
  int count;
  const char *const *beginnings;
};
/* True if the name of the quantity has one of these beginnings. */
bool shk_quantity_is_asked(const struct shk_asked *asked, const char *quantity);

/* Adds a row for each finding whose quantity is asked for, or for every finding if none is asked for or `asked` is NULL. Numbers have all digits, four in a table for people; for LaTeX a value and its
 * half-width are in one column. `study` NULL: its column stays empty. */
void shk_findings_add(struct shk_table *table, enum shk_format format, const char *study,
                      const struct shk_analysis *analysis, const struct shk_asked *asked);

#endif
