/*
 * The findings of an analysis while they are made: a finder (measures/findings.def) reads the
 * records of a family and adds what it finds, with verdicts; and claims of "no", which only all
 * problems together can falsify.
 */
#ifndef HARNESS_ANALYSIS_REPORT_H
#define HARNESS_ANALYSIS_REPORT_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/verdict.h"

/* Result of one problem for a claim of "no". */
struct shk_vote {
  int finding;
  bool at_floor; /* at the floor, as for a claim of "yes" */
};

struct shk_reporter {
  const struct shk_study *study; /* NULL: all measures */
  const struct shk_plan *plan;
  struct shk_families *all;
  const struct shk_family *family; /* the one that is read */
  bool keeps;                      /* curves and drifts, for figures */
  struct shk_analysis *analysis;   /* to which they are added */
  int vote_count;
  struct shk_vote *votes;
};

/* Measures as bits by enum shk_measure_id. */
#define SHK_BIT(measure) (1ul << SHK_MEASURE_##measure)

/* A finder: NAME.c has `const struct shk_finder shk_finder_NAME`, and findings.def a line. */
struct shk_finder {
  enum shk_measured_in in; /* the families it reads */
  /* Nothing is loaded and reported unless a run names one of these measures, or other cells are of
   * one (0: any), and unless this returns true (NULL: always). */
  unsigned long measures;
  bool (*applies)(const struct shk_reporter *c);
  unsigned parts; /* parts of records that it reads (record.h) */
  void (*report)(struct shk_reporter *c);
  /* Instead: reads several families, when all others have been read. Loads them itself. */
  void (*report_all)(struct shk_reporter *c);
};

/* True if a run of the family's cells names one of these measures (or names none, which means
 * all). */
bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures);
/* True if one names one of them explicitly. */
bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures);
/* Returns the run of the study with the family's i-th cell, or NULL. */
const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i);

/* Returns the thresholds that the study states for the outcomes of a family's cells, or NULL. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c);

/* Adds a finding of a family without a claim: the quantity with this parameter (NULL: none) and the
 * family's suffix, its value and its half-width. The pointer is valid until the next one is
 * added. */
struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty);
/* Adds one whose value is a word. */
struct shk_finding *shk_report_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const char *parameter, const char *word);
/* Statistics of members that are added to a quantity: */
enum {
  /* whose value is the worst member's: mean, least, and the worst member, a word with its number,
   * from 1, and its problem; */
  SHK_OF_A_WORST = 1 << SHK_STATISTIC_MEAN | 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_WORST,
  /* whose value is the mean: least and largest; or another one: the mean, too. */
  SHK_OF_A_MEAN = 1 << SHK_STATISTIC_LEAST | 1 << SHK_STATISTIC_LARGEST,
  SHK_OF_EACH = SHK_OF_A_MEAN | 1 << SHK_STATISTIC_MEAN
};
/* Adds these statistics, `QUANTITY, mean of members` with its half-width and so on; nothing if
 * there are no members. `floor` is the quantity's, NaN if it has none. */
void shk_report_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                        const char *parameter, const struct shk_member_statistics *members,
                        unsigned which, double floor);
/* Adds those of a worst member from the numbers of the members' records, of the finest cell that
 * finished. */
void shk_report_recorded_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                                 const char *parameter, double floor);

/* Cells of a family by their ends: those with an answer (NULL: that finished), and the others, with
 * the first record of each kind. */
struct shk_ends {
  int answers, missing, failures;
  const struct shk_record *refused, *failed;
};
struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record));
/* Adds a finding about cells without a result: the end of that record, refused or failed, and its
 * reason. NULL: `missing` of the family's cells have not been run. */
struct shk_finding *shk_report_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                   const struct shk_record *record, int missing);

/* Adds the order of a curve, with its verdict. */
void shk_report_curve(struct shk_reporter *c, const struct shk_curve *curve);
/* Keeps the curve for figures, or clears it. */
void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned);
/* Adds the orders of local errors of each block. */
void shk_report_local_orders(struct shk_reporter *c);

/* Returns the newest finding. */
struct shk_finding *shk_report_newest(const struct shk_reporter *c);
/* Sets the newest finding's verdict, reason and expectation; its floor is set before. */
struct shk_decision shk_report_verdict(struct shk_reporter *c, const struct shk_evidence *evidence);
/* Falsifies claims of "no" that were at the floor on every problem that could decide, two or
 * more. */
void shk_count_votes(struct shk_reporter *c);

#endif
