/*
 * Collects the findings of an analysis. A finder (measures/findings.def) reads the records of a
 * family and adds findings with their verdicts. Claims of "no" are decided last, because only all
 * problems together can falsify them.
 */
#ifndef HARNESS_ANALYSIS_REPORT_H
#define HARNESS_ANALYSIS_REPORT_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/verdict.h"

/* The result on one problem for a claim that only several problems together can falsify, such as a
 * claim of "no" or a claimed order that is too low. */
struct shk_vote {
  int finding; /* index of the finding */
  /* whether the quantity is at its floor, which is evidence against a claim of "no" */
  bool at_floor;
  /* whether being at the floor on this problem is more than an accident of its constraints
   * (shk_can_deny) */
  bool decides;
  bool above, as_claimed; /* for orders; see struct shk_decision */
};

struct shk_reporter {
  const struct shk_study *study; /* if NULL, every measure counts as named */
  const struct shk_plan *plan;
  struct shk_families *all;
  const struct shk_family *family; /* the family currently being read */
  bool keeps;                      /* true if curves and drifts are stored for figures */
  struct shk_analysis *analysis;   /* the analysis that receives the findings */
  int vote_count;
  struct shk_vote *votes;
};

/* The bit for a measure. Bits are numbered as in enum shk_measure_id. */
#define SHK_BIT(measure) (1ul << SHK_MEASURE_##measure)

/* Each finder NAME is defined in NAME.c as `const struct shk_finder shk_finder_NAME` and is listed
 * in findings.def. */
struct shk_finder {
  enum shk_measured_in in; /* the kind of family that this finder reads */
  /* The measures that the finder needs, as a bit set; 0 means any measure. `report` is called only
   * if `applies` is NULL or returns true, and if at least one of these measures is wanted (see
   * shk_reporter_wants). For cells that are not runs, the second condition is met if the cells
   * compute one of the measures. */
  unsigned long measures;
  bool (*applies)(const struct shk_reporter *c);
  unsigned parts; /* the record parts that `report` reads (record.h) */
  void (*report)(struct shk_reporter *c);
  /* Called once after all families have been read, even if `report` was never called. It must load
   * the records that it needs. */
  void (*report_all)(struct shk_reporter *c);
};

/* Returns true if a run of the study contains cells of this family and includes one of these
 * measures, either by name or by default. */
bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures);
/* Like shk_reporter_wants, but returns true only if the run names one of the measures
 * explicitly. */
bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures);
/* Returns the run of the study that contains the family's i-th cell, or NULL if there is none. */
const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i);

/* Returns the study's outcome thresholds for the cells of a family, or NULL if it sets none. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c);

/* Adds a finding about the family, without a verdict. The finding is named after the quantity, the
 * parameter (unless NULL) and the family's suffix. The returned pointer is valid until the next
 * finding is added. */
struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty);
/* Adds a finding for the order of these points and returns the order. If the order cannot be
 * determined, returns NaN and stores the reason in the finding. */
double shk_finding_fit(struct shk_reporter *c, enum shk_quantity_id order, struct shk_point *points,
                       int count);
/* Adds two findings: the error of the last point, together with its floor, and the order of the
 * points. */
void shk_finding_points(struct shk_reporter *c, enum shk_quantity_id error,
                        enum shk_quantity_id order, struct shk_point *points, int count);
/* Adds a finding whose value is a word. */
struct shk_finding *shk_finding_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                     const char *parameter, const char *word);
/* Sets of member statistics that are reported in addition to the value of a quantity. */
enum {
  /* Used for a value that comes from the worst member. This set contains the mean, the smallest
   * value, and a word that identifies the worst member by number (counted from 1) and problem. */
  SHK_OF_A_WORST = 1 << SHK_STATISTIC_MEAN | 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_WORST,
  /* SHK_OF_A_MEAN is for a value that is itself the mean, and contains the smallest and the largest
   * value. SHK_OF_EACH is for any other value, and also contains the mean. */
  SHK_OF_A_MEAN = 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_LARGEST,
  SHK_OF_EACH = SHK_OF_A_MEAN | 1 << SHK_STATISTIC_MEAN
};
/* Adds a finding, such as `QUANTITY, mean of members`, with its half-width for each statistic in
 * `which`. Adds nothing if there are no members. `floor` is the floor of the quantity, or NaN if it
 * has none. */
void shk_finding_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                         const char *parameter, const struct shk_member_statistics *members,
                         unsigned which, double floor);

/* Summarizes how the cells of a family ended. The counts state how many cells have a result, have
 * no record, or failed; the records are those of the first refused and the first failed cell. */
struct shk_ends {
  int answers, missing, failures;
  const struct shk_record *refused, *failed;
};
/* Counts how the cells of a family ended. has_answer must return true for records that contain a
 * result. If has_answer is NULL, a record has a result if and only if it finished. */
struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record));
/* Adds a finding about cells without a result. If `record` is NULL, the finding reports that
 * `missing` cells of the family have not been run. Otherwise it reports how the refused or failed
 * record ended, and why. */
struct shk_finding *shk_finding_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const struct shk_record *record, int missing);

/* Adds a finding with a verdict for the order of a curve. */
void shk_finding_curve(struct shk_reporter *c, const struct shk_curve *curve);
/* Stores the curve if figures need it, and clears it otherwise. */
void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned);
/* Returns the reason why the energy cannot decide a claim on the family's problem, or NULL if it
 * can. */
const char *shk_energy_not_kept(const struct shk_family *family);
/* Adds findings for the order of the local error of each block. */
void shk_finding_local_orders(struct shk_reporter *c);

/* Returns true if a defect that vanishes on this problem cannot do so merely because of the form of
 * the problem's constraints. For (pre)symplecticity, at least one constraint must not be
 * quadratic. */
bool shk_can_deny(enum shk_claim claim, const struct shk_inspection *problem);
/* Returns true if a claim of "yes" can be confirmed for a method. For (pre)symplecticity, the claim
 * must be held on SHK_AFFIRM problems that have unequal masses and for which shk_can_deny returns
 * true. This is not required of a method that refuses all such problems, as a method for rods does.
 * Stores the number of these problems in *held. */
enum { SHK_AFFIRM = 2 };
bool shk_is_affirmed(int *held, const struct shk_context *context,
                     const struct shk_analysis *analysis, const char *integrator,
                     enum shk_claim claim);
/* Returns the most recently added finding. */
struct shk_finding *shk_finding_newest(const struct shk_reporter *c);
/* If the family's system is at rest, changes the verdict of the newest finding to undecided unless
 * the verdict is falsified. Returns false if the finding was not changed. */
bool shk_finding_rests(struct shk_reporter *c);
/* Sets the verdict, reason and expectation of the newest finding. The caller must set the finding's
 * floor first. */
struct shk_decision shk_finding_verdict(struct shk_reporter *c,
                                        const struct shk_evidence *evidence);
/* Falsifies a claim of "no" if at least two problems can decide the claim and the quantity is at
 * its floor on all of them. */
void shk_count_votes(struct shk_reporter *c);

#endif
