/*
 * Analyses a study: computes errors, orders, drift, work-precision data and verdicts from several
 * records. Tables and figures only display the results.
 */
#ifndef HARNESS_ANALYSIS_ANALYSIS_H
#define HARNESS_ANALYSIS_ANALYSIS_H

#include "harness/analysis/families/curve.h"
#include "harness/analysis/singular.h"
#include "harness/analysis/statistics/drift.h"
#include "results/record/finding.h"

struct shk_analysis {
  int finding_count, curve_count, drift_count;
  struct shk_finding *findings;
  struct shk_curve *curves;
  struct shk_run_drift *drifts;         /* one for each run that finished */
  struct shk_singular_results singular; /* of studies that state thresholds for outcomes */
};

/* Analyses the records family by family and loads the parts that the measures need. The findings
 * are in the order of the plan, with those of runs first. Curves and drifts point to records, so
 * they are stored only for records that remain loaded. These records must outlive the analysis.
 * `source` is the same as for shk_families_gather. */
struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records,
                                 const struct shk_analysis_source *source);
void shk_analysis_free(struct shk_analysis *analysis);

/* Returns the exit status that the verdicts alone determine: 1 if a claim was falsified, else 3 if
 * cells failed or are missing, else 0. harness/check/open_claims.h finds claims that nothing
 * decides. */
int shk_analysis_exit_code(const struct shk_analysis *analysis);
/* Returns the exit status after one more verdict. `code` is the exit status of the verdicts before
 * it. */
int shk_exit_code_with(int code, enum shk_verdict verdict);

#endif
