/*
 * Outcome of a cell of a singular study, from a comparison of its states with the known solution.
 * The integrator's status matters only if it refused, or if all its states are right.
 */
#ifndef HARNESS_ANALYSIS_SINGULAR_H
#define HARNESS_ANALYSIS_SINGULAR_H

#include "harness/analysis/families/family.h"

/*
 * At every sample time that the cell reached, with Q and P the largest max norms of q and p of the
 * known solution over the run,
 *     error   max(|q - q*|/Q, |p - p*|/P)
 *     branch  max |b - b*| over the problem's branch functions b (problem.h)
 *     growth  max(|q|/Q, |p|/P), and max |H - H(0)| over the typical energy
 * and with the thresholds that the study states:
 *     right branch   to the end, every error within its threshold
 *     blew up        a value that is not finite, or growth beyond its threshold
 *     other branch   an error beyond its threshold, and from then on a branch function too
 *     silently wrong an error beyond its threshold, on the right branch or for a problem without
 *                    branch functions; or states beyond the end of the solution, by more than one
 *                    distance of sample times
 *     stopped        right until its end, then a failure other than of convergence
 *     not converged  right until its end, then an iteration that did not converge
 *     refused        not started
 *     undecided      the solution is not known, or not accurately enough; or the cell crashed, or
 *                    has no states to compare
 * A cell that went wrong and then stopped is wrong: it returned its states as valid ones.
 */
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
  double error, branch; /* largest over the samples that can be compared; NaN if there is none */
  double since;         /* first sample time with a wrong state; NaN if there is none */
  char reason[SHK_MESSAGE_SIZE];
};

struct shk_singular_results {
  int count;
  struct shk_singular_result *all;
};

/* The word of an outcome, "right branch", "other branch", …, and its letter in maps. */
extern const struct shk_singular_entry {
  const char *word;
  char letter;
} shk_singulars[SHK_SINGULAR_OUTCOMES];

/* Decides the outcome of cell i of the family, which has a record, against the family's
 * reference. */
void shk_singular_decide(struct shk_singular_result *decided, const struct shk_family *family,
                         int i, const struct shk_singular_limits *limits);

#endif
