/* What an analysis finds, as a table: `run` and `show`. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "harness/analysis.h"
#include "results/export.h"

/* study,problem,integrator,precision,quantity,value,uncertainty,expected,verdict */
void shk_findings_init(struct shk_table *table);
/* `digits` of the values: 17 give back the same bits. */
void shk_findings_add_rows(struct shk_table *table, const char *study,
                           const struct shk_analysis *analysis, int digits);
#endif
