/*
 * Making the findings of an analysis: a finder (measures/findings.def) reads the records of a
 * family and adds findings with their verdicts. Claims of "no", which only all problems together
 * can falsify, are decided at the end.
 */
#ifndef HARNESS_ANALYSIS_REPORT_H
#define HARNESS_ANALYSIS_REPORT_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/verdict.h"

/* The result of one problem for a claim that only several problems together falsify: "no", or an
 * order that is too low. */
struct shk_vote {
  int finding; /* index of the finding */
  /* true if the quantity is at its floor, which is evidence against a "no" */
  bool at_floor;
  /* true if it would be so for a method whose claim is true (shk_can_deny) */
  bool decides;
  bool above, as_claimed; /* an order (struct shk_decision) */
};

struct shk_reporter {
  const struct shk_study *study; /* NULL: all measures are named */
  const struct shk_plan *plan;
  struct shk_families *all;
  const struct shk_family *family; /* the family that is being read */
  bool keeps;                      /* true if curves and drifts are kept for figures */
  struct shk_analysis *analysis;   /* receives the findings */
  int vote_count;
  struct shk_vote *votes;
};

/* Measures as bits by enum shk_measure_id. */
#define SHK_BIT(measure) (1ul << SHK_MEASURE_##measure)

/* A finder. NAME.c defines `const struct shk_finder shk_finder_NAME`, and findings.def has a line
 * for it. */
struct shk_finder {
  enum shk_measured_in in; /* kind of the families that it reads */
  /* Measures, as bits (0: any). `report` is called only if `applies` (NULL: always) returns true
   * and if shk_reporter_wants one of the measures or, for cells other than runs, the cells measure
   * one. */
  unsigned long measures;
  bool (*applies)(const struct shk_reporter *c);
  unsigned parts; /* parts of records that `report` reads (record.h) */
  void (*report)(struct shk_reporter *c);
  /* Called once, after all families have been read, also if `report` was never called. It loads
   * records itself. */
  void (*report_all)(struct shk_reporter *c);
};

/* Returns true if a run of the study with cells of the family has one of these measures, named or
 * by default. */
bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures);
/* Returns true if such a run names one of these measures. */
bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures);
/* Returns the run of the study with the family's i-th cell, or NULL. */
const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i);

/* Returns the thresholds that the study states for the outcomes of a family's cells, or NULL. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c);

/* Adds a finding about the family, without a verdict: the quantity with this parameter (or NULL)
 * and the family's suffix, its value and its half-width. The pointer is valid until the next
 * finding is added. */
struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty);
/* Adds the order of these points and returns it. If it is undetermined, returns NaN, and the
 * finding has the reason. */
double shk_finding_fit(struct shk_reporter *c, enum shk_quantity_id order, struct shk_point *points,
                       int count);
/* Adds the error of the last of these points with its floor, and their order. */
void shk_finding_points(struct shk_reporter *c, enum shk_quantity_id error,
                        enum shk_quantity_id order, struct shk_point *points, int count);
/* Adds a finding whose value is a word. */
struct shk_finding *shk_finding_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                     const char *parameter, const char *word);
/* Statistics of members, as bits, which are reported in addition to the value of a quantity. */
enum {
  /* If the value is that of the worst member: mean, least, and a word with the number of the worst
   * member, counted from 1, and its problem. */
  SHK_OF_A_WORST = 1 << SHK_STATISTIC_MEAN | 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_WORST,
  /* If the value is the mean: least and largest. For any other value: also the mean. */
  SHK_OF_A_MEAN = 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_LARGEST,
  SHK_OF_EACH = SHK_OF_A_MEAN | 1 << SHK_STATISTIC_MEAN
};
/* Adds a finding for each statistic of `which`, such as `QUANTITY, mean of members` with its
 * half-width, or none without members. `floor` is that of the quantity (NaN: none). */
void shk_finding_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                         const char *parameter, const struct shk_member_statistics *members,
                         unsigned which, double floor);

/* Cells of a family by how they ended: the numbers of cells with a result, without a record, and
 * that failed; and the first refused and the first failed record. */
struct shk_ends {
  int answers, missing, failures;
  const struct shk_record *refused, *failed;
};
/* Counts how the cells of a family ended. has_answer returns true for records with a result; if it
 * is NULL, records that finished have one. */
struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record));
/* Adds a finding about cells without a result: the end of a record that was refused or failed, with
 * its reason; or, if the record is NULL, that `missing` of the family's cells have not been run. */
struct shk_finding *shk_finding_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const struct shk_record *record, int missing);

/* Adds the order of a curve, with its verdict. */
void shk_finding_curve(struct shk_reporter *c, const struct shk_curve *curve);
/* Keeps the curve for figures, or clears it. */
void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned);
/* Returns the reason why the energy decides nothing on the family's problem, or NULL if it does. */
const char *shk_energy_not_kept(const struct shk_family *family);
/* Adds the orders of local errors of each block. */
void shk_finding_local_orders(struct shk_reporter *c);

/* Returns true if a property that vanishes on the problem does not do so by accident of its
 * constraints. For (pre)symplecticity, this requires that not all of them are quadratic. */
bool shk_can_deny(enum shk_claim claim, const struct shk_inspection *problem);
/* Returns true if a "yes" can be confirmed for a method. For (pre)symplecticity it must be held on
 * SHK_AFFIRM problems that can deny it and have unequal masses, unless the method refuses all of
 * these, as one for rods does. Stores the number of problems in *held. */
enum { SHK_AFFIRM = 2 };
bool shk_is_affirmed(int *held, const struct shk_context *context,
                     const struct shk_analysis *analysis, const char *integrator,
                     enum shk_claim claim);
/* Returns the newest finding. */
struct shk_finding *shk_finding_newest(const struct shk_reporter *c);
/* Makes the newest finding undecided if the family's system is at rest and the finding is not
 * falsified. Returns false if it is unchanged. */
bool shk_finding_rests(struct shk_reporter *c);
/* Sets verdict, reason and expectation of the newest finding. Its floor must be set before. */
struct shk_decision shk_finding_verdict(struct shk_reporter *c,
                                        const struct shk_evidence *evidence);
/* Falsifies claims of "no" whose quantity was at the floor on every problem that could decide, if
 * there are at least two. */
void shk_count_votes(struct shk_reporter *c);

#endif
