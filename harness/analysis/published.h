/*
 * Our references against what others have published.
 *
 * Of every printed number: its last digits are wrong by as many as the difference from ours has
 * beyond one unit of the last printed place, as far as our own digits are certain; on the others we
 * agree. A group (positions, velocities, …) has the worst of its numbers. The evidence is what the
 * constraints say of both states and how many digits independent runs of the same study have in
 * common with ours and with the literature.
 *
 * Verdict: falsified is *our* reference, where an independent run sides with the literature in what
 * we call wrong; held where independent runs side with us only, or nothing is called wrong;
 * undecided where none sides with either. A run sides with the one that it is nearer to than a
 * third of the difference in question, and counts only if it differs from the next coarser run with
 * the same method by less than that.
 */
#ifndef HARNESS_ANALYSIS_PUBLISHED_H
#define HARNESS_ANALYSIS_PUBLISHED_H

#include "harness/analysis/analysis.h"
#include "harness/references/literature.h"

struct shk_published_row {
  char *literature, *source, *problem, *time;
  const char *group; /* "positions", … */
  int printed;       /* digits, of the longest number */
  int agreed, wrong; /* the least and the most of the group */
  int certain;       /* our own digits, of the worst number */
  enum shk_verdict verdict;
  char *evidence;
};

struct shk_published {
  int count;
  struct shk_published_row *rows;
};

/* Compares what a plan has references of with all literature in a folder. Rows are in the order of
 * the files. False with the reason if a file is not what it should be. */
bool shk_published_compare(struct shk_published *published, const char *folder,
                           const struct shk_plan *plan, struct shk_records *records,
                           struct shk_message *error);
void shk_published_clear(struct shk_published *published);

/* Adds a finding for each row, "digits of positions (NAME)" and so on. */
void shk_published_report(struct shk_analysis *analysis, const struct shk_published *published);

#endif
