/*
 * Analyses a study by computing errors, orders, drift, work-precision data and verdicts from its
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
  struct shk_run_drift *drifts;         /* one entry per finished run */
  struct shk_singular_results singular; /* filled in only for studies that set outcome thresholds */
};

/* Analyses the records family by family and loads the parts that the measures need. Findings about
 * runs come first; within each group the order is that of the plan. Curves and drifts point into
 * records, so they are stored only for records that stay loaded, and those records must outlive the
 * analysis. `source` has the same meaning as in shk_families_gather. */
struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records,
                                 const struct shk_analysis_source *source);
void shk_analysis_free(struct shk_analysis *analysis);

/* Returns the exit status that follows from the verdicts alone. It is 1 if a claim was falsified, 3
 * if no claim was falsified but cells failed or are missing, and 0 otherwise. Claims that no
 * finding decides are handled in harness/check/open_claims.h. */
int shk_analysis_exit_code(const struct shk_analysis *analysis);
/* Updates an exit status to include one more verdict. `code` is the exit status of all previous
 * verdicts. */
int shk_exit_code_with(int code, enum shk_verdict verdict);

#endif
