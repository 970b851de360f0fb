/*
 * Outcome of a cell of a singular study, found by comparing its states with the known solution. The
 * integrator's status matters only if it refused, or if all its states are right.
 */
#ifndef HARNESS_ANALYSIS_SINGULAR_H
#define HARNESS_ANALYSIS_SINGULAR_H

#include "harness/analysis/families/family.h"

/*
 * The following are computed at every sample time that the cell reached. Q and P are the largest
 * max norms of the known solution's q and p over the run.
 *     error   max(|q - q*|/Q, |p - p*|/P)
 *     branch  max |b - b*| over the problem's branch functions b (problem.h)
 *     growth  max(|q|/Q, |p|/P), and max |H - H(0)| over the typical energy
 * Together with the thresholds that the study states, they give the outcome:
 *     right branch   every error stays within its threshold to the end
 *     blew up        a value is not finite, or growth exceeds its threshold
 *     other branch   an error exceeds its threshold, and from then on a branch function does too
 *     silently wrong an error exceeds its threshold on the right branch or on a problem without
 *                    branch functions; or there are states later than one sample interval after the
 *                    end of the solution
 *     stopped        right until its end, then a failure other than one of convergence
 *     not converged  right until its end, then an iteration that did not converge
 *     refused        not started
 *     undecided      the solution is not known, or not accurately enough; or the cell crashed or
 *                    has no states to compare
 * A cell that went wrong and then stopped is wrong, because it returned its states as valid ones.
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
  double error, branch; /* largest over the samples that can be compared; NaN if there are none */
  double since;         /* first sample time with a wrong state; NaN if there is none */
  char reason[SHK_MESSAGE_SIZE];
};

struct shk_singular_results {
  int count;
  struct shk_singular_result *all;
};

/* The word for an outcome, such as "right branch", and the letter that represents it in maps. */
extern const struct shk_singular_entry {
  const char *word;
  char letter;
} shk_singulars[SHK_SINGULAR_OUTCOMES];

/* Determines the outcome of the family's cell i, which must have a record, by comparing it with the
 * family's reference. */
void shk_singular_decide(struct shk_singular_result *decided, const struct shk_family *family,
                         int i, const struct shk_singular_limits *limits);

#endif
