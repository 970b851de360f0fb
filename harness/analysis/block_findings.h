/* Findings about q, p and multipliers against the reference: orders, errors, and costs of
 * errors. */
#ifndef HARNESS_ANALYSIS_BLOCK_FINDINGS_H
#define HARNESS_ANALYSIS_BLOCK_FINDINGS_H

#include "harness/analysis/families/reporter.h"

/* Reports the order of the errors, with its verdict. */
void shk_report_order(struct shk_reporter *c, const struct shk_family *family,
                      const struct shk_curve *curve);
/* Reports all findings that the measures of the family's runs include. */
void shk_report_blocks(struct shk_reporter *c, const struct shk_family *family,
                       const struct shk_group_reference *reference);

#endif
