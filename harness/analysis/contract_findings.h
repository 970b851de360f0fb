/* Findings of contract checks, which apply to every method whatever it claims
 * (measures/contract.def). */
#ifndef HARNESS_ANALYSIS_CONTRACT_H
#define HARNESS_ANALYSIS_CONTRACT_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/families/findings.h"

/* Adds a finding for each cell of these types: falsified, with the first fault as the reason, or
 * held, or undecided with a reason. */
void shk_contract_report(struct shk_findings *findings, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source);

#endif
