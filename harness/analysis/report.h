/*
 * Makes the findings of an analysis. A finder (measures/findings.def) reads the records of a family
 * and adds findings with their verdicts. Claims of "no", which only all problems together can
 * falsify, are decided at the end.
 */
#ifndef HARNESS_ANALYSIS_REPORT_H
#define HARNESS_ANALYSIS_REPORT_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/verdict.h"

/* One problem's result for a claim that only several problems together can falsify: a claim of
 * "no", or of an order that is too low. */
struct shk_vote {
  int finding; /* index of the finding */
  /* true if the quantity is at its floor, which is evidence against a "no" */
  bool at_floor;
  /* true if it would also be evidence for a method whose claim is true (shk_can_deny) */
  bool decides;
  bool above, as_claimed; /* for an order (struct shk_decision) */
};

struct shk_reporter {
  const struct shk_study *study; /* NULL: all measures are named */
  const struct shk_plan *plan;
  struct shk_families *all;
  const struct shk_family *family; /* the family that is being read */
  bool keeps;                      /* true if curves and drifts are stored for figures */
  struct shk_analysis *analysis;   /* receives the findings */
  int vote_count;
  struct shk_vote *votes;
};

/* Measures as bits, numbered as in enum shk_measure_id. */
#define SHK_BIT(measure) (1ul << SHK_MEASURE_##measure)

/* A finder. NAME.c defines `const struct shk_finder shk_finder_NAME`, and findings.def lists it. */
struct shk_finder {
  enum shk_measured_in in; /* kind of the families that it reads */
  /* The measures that the finder needs, as bits (0: any). `report` is called only if `applies`
   * returns true (or is NULL) and one of the measures is wanted (shk_reporter_wants). For cells
   * other than runs, it is enough that the cells make one of the measures. */
  unsigned long measures;
  bool (*applies)(const struct shk_reporter *c);
  unsigned parts; /* parts of records that `report` reads (record.h) */
  void (*report)(struct shk_reporter *c);
  /* Called once after all families have been read, even if `report` was never called. This function
   * must load the records that it needs. */
  void (*report_all)(struct shk_reporter *c);
};

/* Returns true if a run of the study with cells of the family has one of these measures, by name or
 * by default. */
bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures);
/* Returns true if such a run names one of these measures. */
bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures);
/* Returns the study's run to which the family's i-th cell belongs, or NULL. */
const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i);

/* Returns the thresholds that the study states for the outcomes of a family's cells, or NULL. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c);

/* Adds a finding about the family without a verdict: the quantity with this parameter (or NULL) and
 * the family's suffix, its value and its half-width. The pointer is valid until the next finding is
 * added. */
struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty);
/* Adds the order of these points and returns it. If the order is undetermined, returns NaN; the
 * finding then contains the reason. */
double shk_finding_fit(struct shk_reporter *c, enum shk_quantity_id order, struct shk_point *points,
                       int count);
/* Adds the error of the last point with its floor, and the order of the points. */
void shk_finding_points(struct shk_reporter *c, enum shk_quantity_id error,
                        enum shk_quantity_id order, struct shk_point *points, int count);
/* Adds a finding whose value is a word. */
struct shk_finding *shk_finding_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                     const char *parameter, const char *word);
/* The statistics of members, as bits, that are reported in addition to the value of a quantity. */
enum {
  /* If the value is that of the worst member: the mean, the least value, and a word with the worst
   * member's number (counted from 1) and problem. */
  SHK_OF_A_WORST = 1 << SHK_STATISTIC_MEAN | 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_WORST,
  /* If the value is the mean: the least and largest values. For any other value: also the mean. */
  SHK_OF_A_MEAN = 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_LARGEST,
  SHK_OF_EACH = SHK_OF_A_MEAN | 1 << SHK_STATISTIC_MEAN
};
/* Adds a finding for each statistic of `which`, such as `QUANTITY, mean of members`, with its
 * half-width. Adds none if there are no members. `floor` is the floor of the quantity (NaN if it
 * has none). */
void shk_finding_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                         const char *parameter, const struct shk_member_statistics *members,
                         unsigned which, double floor);

/* How the cells of a family ended: the numbers of cells with a result, without a record and with a
 * failure, and the first refused and the first failed record. */
struct shk_ends {
  int answers, missing, failures;
  const struct shk_record *refused, *failed;
};
/* Counts how the cells of a family ended. has_answer returns true for records with a result. If it
 * is NULL, exactly the records that finished have a result. */
struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record));
/* Adds a finding about cells without a result. It reports how a refused or failed record ended,
 * with the reason, or, if the record is NULL, that `missing` of the family's cells have not been
 * run. */
struct shk_finding *shk_finding_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const struct shk_record *record, int missing);

/* Adds the order of a curve with its verdict. */
void shk_finding_curve(struct shk_reporter *c, const struct shk_curve *curve);
/* Stores the curve for figures, or clears it if figures do not need it. */
void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned);
/* Returns the reason why the energy decides nothing on the family's problem, or NULL if it can
 * decide a claim. */
const char *shk_energy_not_kept(const struct shk_family *family);
/* Adds the order of the local error of each block. */
void shk_finding_local_orders(struct shk_reporter *c);

/* Returns true if a property that vanishes on the problem does not vanish by an accident of its
 * constraints. For (pre)symplecticity this requires at least one constraint that is not
 * quadratic. */
bool shk_can_deny(enum shk_claim claim, const struct shk_inspection *problem);
/* Returns true if a "yes" can be confirmed for a method. For (pre)symplecticity, it must be held on
 * SHK_AFFIRM problems that can deny it and that have unequal masses, unless the method refuses all
 * such problems (as a method for rods does). Stores the number of problems in *held. */
enum { SHK_AFFIRM = 2 };
bool shk_is_affirmed(int *held, const struct shk_context *context,
                     const struct shk_analysis *analysis, const char *integrator,
                     enum shk_claim claim);
/* Returns the finding that was added last. */
struct shk_finding *shk_finding_newest(const struct shk_reporter *c);
/* If the family's system is at rest, makes the newest finding undecided unless it is falsified.
 * Returns false if the finding is unchanged. */
bool shk_finding_rests(struct shk_reporter *c);
/* Sets the verdict, reason and expectation of the newest finding. The finding's floor must be set
 * before. */
struct shk_decision shk_finding_verdict(struct shk_reporter *c,
                                        const struct shk_evidence *evidence);
/* Falsifies claims of "no" if the quantity was at the floor on every problem that could decide the
 * claim and there are at least two such problems. */
void shk_count_votes(struct shk_reporter *c);

#endif
