/*
 * The list of findings during an analysis, and claims of "no", which only all problems together can
 * falsify.
 */
#ifndef HARNESS_ANALYSIS_FINDINGS_H
#define HARNESS_ANALYSIS_FINDINGS_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/families/verdict.h"
#include "measures/quantity.h"
#include "results/record/finding.h"

/* Result of one problem for a claim of "no". */
struct shk_vote {
  int finding;
  bool at_floor; /* at the floor, as for a claim of "yes" */
};

struct shk_findings {
  int count, vote_count;
  struct shk_finding *all; /* owned by the analysis made of them, if there is one */
  struct shk_vote *votes;
};

/* Adds a finding of a family without a claim: the quantity with this parameter (NULL: none) and the
 * family's suffix. The pointer is valid until the next one is added. */
struct shk_finding *shk_findings_add(struct shk_findings *findings, const struct shk_family *family,
                                     enum shk_quantity_id quantity, const char *parameter,
                                     double value, double uncertainty);
/* Adds a finding about a statistic of an ensemble's members. */
struct shk_finding *shk_findings_add_statistic(struct shk_findings *findings,
                                               const struct shk_family *family,
                                               enum shk_quantity_id quantity, const char *parameter,
                                               enum shk_statistic statistic, double value,
                                               double uncertainty);
/* Adds a finding about cells without a result: the end of that record, and its reason. */
struct shk_finding *shk_findings_add_status(struct shk_findings *findings,
                                            const struct shk_family *family,
                                            enum shk_quantity_id quantity,
                                            const struct shk_record *record,
                                            enum shk_verdict verdict);
/* Adds that `missing` of `count` cells have not been run. */
void shk_findings_add_missing(struct shk_findings *findings, const struct shk_family *family,
                              enum shk_quantity_id quantity, int missing, int count);
/* Sets verdict and reason. */
void shk_finding_decide(struct shk_finding *finding, const struct shk_decision *decision);
/* Sets them for a quantity that is compared with the floor, since it is claimed to vanish or not
 * to. */
void shk_finding_decide_vanishing(struct shk_finding *finding, const struct shk_decision *decision,
                                  enum shk_answer claimed, double floor);
/* Records that the newest finding is about a claim of "no" on a problem that can decide it. */
void shk_findings_vote(struct shk_findings *findings, bool at_floor);
/* Falsifies claims of "no" that were at the floor on every problem that could decide, two or
 * more. */
void shk_findings_count_votes(struct shk_findings *findings);

#endif
