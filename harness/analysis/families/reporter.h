/* State that the parts of an analysis share while they report on families of cells (analysis.h). */
#ifndef HARNESS_ANALYSIS_REPORTER_H
#define HARNESS_ANALYSIS_REPORTER_H

#include "harness/analysis/families/curve.h"
#include "harness/analysis/families/member_findings.h"
#include "harness/study/study.h"

struct shk_reporter {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_analysis_source *source;
  struct shk_findings findings;
  bool keeps; /* curves and drifts, for figures */
  int curve_count, drift_count;
  struct shk_curve *curves;
  struct shk_run_drift *drifts;
};

/* True if a run of the family's cells names a measure (or names none, which means all). */
bool shk_reporter_wants(const struct shk_reporter *c, const struct shk_family *family,
                        enum shk_measure_id measure);
/* True if a run of the family's cells names it explicitly. */
bool shk_reporter_is_asked(const struct shk_reporter *c, const struct shk_family *family,
                           enum shk_measure_id measure);

/* Add a finding without a verdict; the pointer is valid until the next one is added. */
struct shk_finding *shk_reporter_add(struct shk_reporter *c, const struct shk_family *family,
                                     enum shk_quantity_id quantity, double value,
                                     double uncertainty);
struct shk_finding *shk_reporter_add_block(struct shk_reporter *c, const struct shk_family *family,
                                           enum shk_quantity_id quantity, enum shk_block_id block,
                                           double value, double uncertainty);

/* Takes ownership of the curve: keeps it for figures, or frees it. */
void shk_reporter_keep_curve(struct shk_reporter *c, struct shk_curve *curve);

#endif
