/*
 * What is computed from several records of a study: errors, orders, drift, work-precision,
 * verdicts. Everything a table or a figure shows comes from here.
 */
#ifndef HARNESS_ANALYSIS_ANALYSIS_H
#define HARNESS_ANALYSIS_ANALYSIS_H

#include "engine/engine.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/members.h"
#include "harness/plan/plan.h"
#include "results/record/finding.h"
#include "results/record/record.h"

/* A point of an error curve. */
struct shk_point {
  double step;                      /* or tolerance */
  double error;                     /* largest over the sample times; NaN where the cell failed */
  double end_error;                 /* at the last sample time; NaN where the cell failed */
  double scd, mescd;                /* digits at the last sample time (engine.h); NaN likewise */
  double reference_error;           /* the reference's own, in the same norm; NaN if unknown */
  double floor;                     /* below which round-off rules; 0 if unknown */
  double seconds;                   /* CPU, minimum of repeats; NaN if not recorded */
  double work;                      /* evaluations of H_q + jacobian; NaN if not recorded */
  struct shk_lane_statistics lanes; /* of the errors, where there are lanes: `error` is the largest,
                                       end_error, scd and mescd are the worst too */
  bool in_window;                   /* took part in the fit */
  const struct shk_record *record;  /* NULL where there is none yet */
};

struct shk_fit {
  bool determined;
  double order, half_width; /* p ± max(2 standard errors, last pairwise change) */
  double intercept;         /* log error = intercept + order log step */
  double last_pair;         /* the order of the two finest points of the window */
  double trend;             /* last pairwise change, signed */
  double finest_error;      /* of the finest point of the window */
  int first, last;          /* points of the window, indices into the curve; -1: none */
  bool exact;               /* undetermined because all errors are at round-off */
  char why[160];            /* when undetermined */
};

/* Errors of one block against step or tolerance, for one problem, integrator and precision. */
struct shk_curve {
  int run, group; /* run: of the first cell; cells of one group share a curve, whatever their run */
  char *problem, *integrator, *precision;
  char *quantity; /* block: q, p, lambda, mu, lambda-mean, lambda-sum, lambda-state; or energy: max
                     |H - H(0)|, not scaled */
  bool against_tolerance;
  int count;
  struct shk_point *points;               /* largest step first */
  int claimed;                            /* order, SHK_NO_ORDER if not claimed */
  struct shk_lane_statistics lane_orders; /* of the lanes that have one; its half-width is the least
                                             that the fit's can have */
  struct shk_fit fit;
};

/* What the energy does in one run, where a study measures it. */
struct shk_run_drift {
  const struct shk_record *record;
  struct shk_drift drift;
};

/* What became of a cell of a singular study (fate.h). */
enum shk_fate {
  SHK_FATE_STOPPED,
  SHK_FATE_WRONG,
  SHK_FATE_RIGHT,
  SHK_FATE_BLEW_UP,
  SHK_FATE_OTHER_BRANCH,
  SHK_FATE_NOT_CONVERGED,
  SHK_FATE_REFUSED,
  SHK_FATE_UNDECIDED,
  SHK_FATE_COUNT
};

struct shk_decided {
  int cell; /* index into the plan */
  enum shk_fate fate;
  double error, branch; /* largest over the samples that could be compared; NaN without any */
  double since;         /* the first sample time at which the state was wrong; NaN if none was */
  char reason[320];
};

struct shk_analysis {
  int finding_count, curve_count, drift_count;
  struct shk_finding *findings;
  struct shk_curve *curves;
  struct shk_run_drift *drifts; /* of the runs that finished */
  int fate_count;
  struct shk_decided *fates; /* of the cells for which the study states thresholds */
};

/* Where an analysis asks for what the records do not hold. Each as in struct shk_engine, of the
 * engine of that precision; `difference` in quad. */
struct shk_analysis_source {
  double reference_epsilon; /* of the precision in which differences are taken */
  bool (*difference)(double *difference, double *size, const char *a, const char *b);
  bool (*relative)(double *pure, double *mixed, const char *a, const char *b);
  bool (*claims)(struct shk_claims *claims, const char *precision, const char *integrator,
                 struct shk_message *error);
  bool (*inspect)(struct shk_inspection *inspection, const char *problem,
                  struct shk_message *error);
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
void shk_analysis_free(struct shk_analysis *analysis);

/* What a command that measured ends with: 1 if something was falsified, else 3 if cells failed or
 * are missing, else 0. Undecided and refused are answers. */
int shk_analysis_exit_code(const struct shk_analysis *analysis);

#endif
