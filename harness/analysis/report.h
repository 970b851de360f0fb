/*
 * Making the findings of an analysis: a finder (measures/findings.def) reads the records of a
 * family and adds findings with their verdicts. Claims of "no", which only all problems together
 * can falsify, are decided at the end.
 */
#ifndef HARNESS_ANALYSIS_REPORT_H
#define HARNESS_ANALYSIS_REPORT_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/verdict.h"

/* Result of one problem for a claim that only several problems falsify: "no", or an order that is too
 * low. */
struct shk_vote {
  int finding;            /* index */
  bool at_floor;          /* the quantity is at its floor, which speaks against a "no" */
  bool decides;           /* so would it for a method whose claim is true (shk_can_deny) */
  bool above, as_claimed; /* an order (struct shk_decision) */
};

struct shk_reporter {
  const struct shk_study *study; /* NULL: all measures */
  const struct shk_plan *plan;
  struct shk_families *all;
  const struct shk_family *family; /* the family that is read */
  bool keeps;                      /* curves and drifts are kept, for figures */
  struct shk_analysis *analysis;   /* receives the findings */
  int vote_count;
  struct shk_vote *votes;
};

/* Measures as bits by enum shk_measure_id. */
#define SHK_BIT(measure) (1ul << SHK_MEASURE_##measure)

/* A finder: NAME.c has `const struct shk_finder shk_finder_NAME`, and findings.def a line. */
struct shk_finder {
  enum shk_measured_in in; /* families that it reads */
  /* Measures, as bits (0: any). `report` is called only if shk_reporter_wants one of them or, for
   * cells other than runs, the cells measure one, and if `applies` (NULL: always) is true. */
  unsigned long measures;
  bool (*applies)(const struct shk_reporter *c);
  unsigned parts; /* parts of records that `report` reads (record.h) */
  void (*report)(struct shk_reporter *c);
  /* Called once, after all families have been read, with or without `report`. Loads records
   * itself. */
  void (*report_all)(struct shk_reporter *c);
};

/* True if a run of the study with cells of the family has one of these measures, named or by
 * default. */
bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures);
/* True if such a run names one of these measures. */
bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures);
/* Returns the run of the study with the family's i-th cell, or NULL. */
const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i);

/* Returns the thresholds that the study states for the outcomes of a family's cells, or NULL. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c);

/* Adds a finding about the family, without a verdict: the quantity with this parameter (NULL: none)
 * and the family's suffix, its value and its half-width. The pointer is valid until the next
 * finding is added. */
struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty);
/* Adds the order of these points, and returns it; NaN, with the reason, if undetermined. */
double shk_finding_fit(struct shk_reporter *c, enum shk_quantity_id order, struct shk_point *points,
                       int count);
/* Adds the error of the last of these points with its floor, and their order. */
void shk_finding_points(struct shk_reporter *c, enum shk_quantity_id error,
                        enum shk_quantity_id order, struct shk_point *points, int count);
/* Adds a finding whose value is a word. */
struct shk_finding *shk_finding_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                     const char *parameter, const char *word);
/* Statistics of members, as bits, in addition to the value of a quantity. */
enum {
  /* The value is that of the worst member: mean, least, and a word with the number of the worst
   * member, from 1, and its problem. */
  SHK_OF_A_WORST = 1 << SHK_STATISTIC_MEAN | 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_WORST,
  /* The value is the mean: least and largest. For any other value: the mean too. */
  SHK_OF_A_MEAN = 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_LARGEST,
  SHK_OF_EACH = SHK_OF_A_MEAN | 1 << SHK_STATISTIC_MEAN
};
/* Adds a finding for each statistic of `which`, as `QUANTITY, mean of members` with its half-width.
 * Without members it adds none. `floor` is the quantity's; NaN: none. */
void shk_finding_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                         const char *parameter, const struct shk_member_statistics *members,
                         unsigned which, double floor);

/* Cells of a family by their ends: numbers of cells with a result, without a record, and that
 * failed; and the first refused and the first failed record. */
struct shk_ends {
  int answers, missing, failures;
  const struct shk_record *refused, *failed;
};
/* has_answer: true for records with a result; NULL: those that finished. */
struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record));
/* Adds a finding about cells without a result: the end of a record that was refused or failed, with
 * its reason; NULL: `missing` of the family's cells have not been run. */
struct shk_finding *shk_finding_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const struct shk_record *record, int missing);

/* Adds the order of a curve, with its verdict. */
void shk_finding_curve(struct shk_reporter *c, const struct shk_curve *curve);
/* Keeps the curve for figures, or clears it. */
void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned);
/* Returns the reason why the energy decides nothing on the family's problem; NULL: it decides. */
const char *shk_energy_not_kept(const struct shk_family *family);
/* Adds the orders of local errors of each block. */
void shk_finding_local_orders(struct shk_reporter *c);

/* True if a property that vanishes on the problem is no accident of its constraints: for
 * (pre)symplecticity they must not all be quadratic. */
bool shk_can_deny(enum shk_claim claim, const struct shk_inspection *problem);
/* True if a "yes" may be said of a method: for (pre)symplecticity it must be held on SHK_AFFIRM
 * problems that can deny it and have unequal masses. A method that refuses all of these that it is
 * asked, as one for rods does, need not. Writes the number of problems to *held. */
enum { SHK_AFFIRM = 2 };
bool shk_is_affirmed(int *held, const struct shk_context *context,
                     const struct shk_analysis *analysis, const char *integrator,
                     enum shk_claim claim);
/* Returns the newest finding. */
struct shk_finding *shk_finding_newest(const struct shk_reporter *c);
/* Leaves the newest finding undecided if the family's system is at rest, unless it is falsified.
 * Returns false if it stays as it was. */
bool shk_finding_rests(struct shk_reporter *c);
/* Sets verdict, reason and expectation of the newest finding, whose floor must be set before. */
struct shk_decision shk_finding_verdict(struct shk_reporter *c,
                                        const struct shk_evidence *evidence);
/* Falsifies claims of "no" whose quantity was at the floor on every problem that could decide, two
 * or more. */
void shk_count_votes(struct shk_reporter *c);

#endif
