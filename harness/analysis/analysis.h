/*
 * What is computed from several records of a study: errors, orders, drift, work-precision,
 * verdicts. Everything a table or a figure shows comes from here.
 */
#ifndef HARNESS_ANALYSIS_ANALYSIS_H
#define HARNESS_ANALYSIS_ANALYSIS_H

#include "harness/analysis/families/curve.h"
#include "harness/analysis/families/member_findings.h"
#include "harness/analysis/families/source.h"
#include "harness/analysis/singular.h"
#include "harness/plan/plan.h"
#include "results/record/finding.h"
#include "results/record/record.h"

struct shk_analysis {
  int finding_count, curve_count, drift_count;
  struct shk_finding *findings;
  struct shk_curve *curves;
  struct shk_run_drift *drifts;         /* of the runs that finished */
  struct shk_singular_results singular; /* of the cells for which the study states thresholds */
};

/* Takes the records family by family, with what its measures need. Findings are in the order of the
 * plan. Curves and drifts, which point to records, are kept only of records that stay; these must
 * outlive the analysis. */
struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records);
struct shk_analysis *shk_analyse_with(const struct shk_study *study, const struct shk_plan *plan,
                                      struct shk_records *records,
                                      const struct shk_analysis_source *source);
/* An analysis that has these findings, which it takes over, and nothing else. */
struct shk_analysis *shk_analysis_of_findings(struct shk_finding *owned, int count);
/* Adds to one of findings what else there is of the records that they were made of. */
void shk_analysis_add_curves(struct shk_analysis *analysis, const struct shk_study *study,
                             const struct shk_plan *plan, struct shk_records *records);
void shk_analysis_free(struct shk_analysis *analysis);

/* Tells of the error of every block at every sample time of every run that has a reference, in the
 * order of the plan. */
void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user);

/* What a command that measured ends with: 1 if something was falsified, else 3 if cells failed or
 * are missing, else 0. Undecided and refused are answers. */
int shk_analysis_exit_code(const struct shk_analysis *analysis);

#endif
