/* Creates a table of an analysis's findings, for `run` and `show`. */
#ifndef CLI_SHARED_OUTPUT_FINDINGS_TABLE_H
#define CLI_SHARED_OUTPUT_FINDINGS_TABLE_H

#include "harness/analysis/analysis.h"
#include "results/export/export.h"

/* Initializes the table with the columns
 * study,problem,integrator,precision,quantity,value,uncertainty,expected,verdict. In CSV and JSON,
 * these are followed by expected_value,expected_band (the expectation as two numbers) and
 * reason. */
void shk_findings_init(struct shk_table *table, enum shk_format format);
/* The quantities that a command requests, given by prefixes of their names. */
struct shk_asked {
  int count;
  const char *const *beginnings;
};
/* Returns true if the name of the quantity starts with one of these prefixes. */
bool shk_quantity_is_asked(const struct shk_asked *asked, const char *quantity);

/* Adds a row for each finding whose quantity is requested, or for every finding if none is
 * requested or `asked` is NULL. Numbers are printed with all digits, or with four digits in a table
 * for human readers. For LaTeX, a value and its half-width share a column. If `study` is NULL, the
 * study column is empty. */
void shk_findings_add(struct shk_table *table, enum shk_format format, const char *study,
                      const struct shk_analysis *analysis, const struct shk_asked *asked);

#endif
