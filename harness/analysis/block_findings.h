/* Findings about q, p and multipliers against the reference: orders, errors, what errors cost. */
#ifndef HARNESS_ANALYSIS_BLOCK_FINDINGS_H
#define HARNESS_ANALYSIS_BLOCK_FINDINGS_H

#include "harness/analysis/families/reporter.h"

/* The order that errors fall with, with its verdict. */
void shk_report_order(struct shk_reporter *c, const struct shk_family *family,
                      const struct shk_curve *curve);
/* All that the measures of the family's runs ask for. */
void shk_report_blocks(struct shk_reporter *c, const struct shk_family *family,
                       const struct shk_group_reference *reference);

#endif
