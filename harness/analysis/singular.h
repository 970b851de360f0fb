/*
 * What became of a cell of a singular study, decided by comparing its states with those of the
 * known solution, and never by the integrator's own word: "ok" proves nothing.
 *
 * At every sample time that the cell reached, with Q and P the largest max norms of q and p of the
 * known solution over the run,
 *     error   max(|q - q*|/Q, |p - p*|/P)
 *     branch  max |b - b*| over the problem's branch functions b (problem.h)
 *     growth  max(|q|/Q, |p|/P), and max |H - H(0)| over the typical energy
 * and with the thresholds that the study states:
 *     right branch   to the end, every error within its threshold
 *     blew up        something not finite, or growth beyond its threshold
 *     other branch   an error beyond its threshold, and from then on a branch function too
 *     silently wrong an error beyond its threshold, on the right branch or where the problem
 *                    declares none; or states delivered beyond the end of the solution, by more
 *                    than one distance of sample times
 *     stopped        right as far as it went, then a failure other than of convergence
 *     not converged  the same with an iteration that did not converge
 *     refused        not started
 *     undecided      no known solution, or one that is not known well enough, or no answer
 * A cell that went wrong and then stopped was wrong: its states were delivered as good ones.
 */
#ifndef HARNESS_ANALYSIS_SINGULAR_H
#define HARNESS_ANALYSIS_SINGULAR_H

#include "harness/analysis/families/findings.h"

enum shk_singular_outcome {
  SHK_OUTCOME_STOPPED,
  SHK_OUTCOME_WRONG,
  SHK_OUTCOME_RIGHT,
  SHK_OUTCOME_BLEW_UP,
  SHK_OUTCOME_OTHER_BRANCH,
  SHK_OUTCOME_NOT_CONVERGED,
  SHK_OUTCOME_REFUSED,
  SHK_OUTCOME_UNDECIDED,
  SHK_SINGULAR_OUTCOMES
};

struct shk_singular_result {
  int cell; /* index into the plan */
  enum shk_singular_outcome outcome;
  double error, branch; /* largest over the samples that could be compared; NaN without any */
  double since;         /* the first sample time at which the state was wrong; NaN if none was */
  char reason[320];
};

struct shk_singular_results {
  int count;
  struct shk_singular_result *all;
};

/* "right branch", "other branch", … and, for maps, a letter of it. */
const char *shk_singular_word(enum shk_singular_outcome outcome);
char shk_singular_letter(enum shk_singular_outcome outcome);

/* Decides cell i of the family, which has a record. The reference is that of its group. */
void shk_singular_decide(struct shk_singular_result *decided, const struct shk_family *family,
                         int i, const struct shk_group_reference *reference,
                         const struct shk_singular_limits *limits,
                         const struct shk_analysis_source *source);

/* The thresholds that the study states for the cells of a family; NULL if it states none. */
const struct shk_singular_limits *shk_singular_limits_of(const struct shk_study *study,
                                                         const struct shk_plan *plan,
                                                         const struct shk_family *family);

/* Adds the findings `outcome at …`, a word with its reason, and `outcome error at …`, the largest
 * over the samples, of every cell of the family that was run and not refused; the list gets a
 * result of each that was run. Nothing where limits is NULL. */
void shk_singular_report(struct shk_findings *findings, struct shk_singular_results *results,
                         const struct shk_singular_limits *limits, const struct shk_family *family,
                         const struct shk_group_reference *reference,
                         const struct shk_analysis_source *source);

#endif
