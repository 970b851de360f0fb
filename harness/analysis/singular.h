/*
 * Determines the outcome of a cell in a singular study by comparing its states with the known
 * solution. The integrator's status matters only if it refused the problem or if all of its states
 * are right.
 */
#ifndef HARNESS_ANALYSIS_SINGULAR_H
#define HARNESS_ANALYSIS_SINGULAR_H

#include "harness/analysis/families/family.h"

/*
 * The following quantities are computed at every sample time that the cell reached. Q and P are the
 * largest max norms of q and p that the known solution attains during the run.
 *     error   max(|q - q*|/Q, |p - p*|/P)
 *     branch  max |b - b*| over the problem's branch functions b (problem.h)
 *     growth  max(|q|/Q, |p|/P), and max |H - H(0)| over the typical energy
 * Together with the thresholds set by the study, these quantities determine the outcome:
 *     right branch   every error stays within its threshold until the end of the run
 *     blew up        a value is not finite, or growth exceeds its threshold
 *     other branch   an error exceeds its threshold and, at that time or later, so does a branch
 *                    function
 *     silently wrong an error exceeds its threshold on the right branch or on a problem without
 *                    branch functions; or there are states later than one sample interval after the
 *                    end of the solution
 *     stopped        right until it ended with a failure other than non-convergence
 *     not converged  right until an iteration failed to converge
 *     refused        the integrator refused to start
 *     undecided      the solution is unknown or not accurate enough, or the cell crashed or has no
 *                    states to compare
 * A cell that went wrong before it stopped counts as wrong, because it returned its wrong states as
 * if they were valid.
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
  /* the largest values over all samples that can be compared, or NaN if there are none */
  double error, branch;
  double since; /* the first sample time at which the state is wrong; NaN if there is none */
  char reason[SHK_MESSAGE_SIZE];
};

struct shk_singular_results {
  int count;
  struct shk_singular_result *all;
};

/* The name of an outcome, such as "right branch", and the letter that represents it in maps. */
extern const struct shk_singular_entry {
  const char *word;
  char letter;
} shk_singulars[SHK_SINGULAR_OUTCOMES];

/* Determines the outcome of the family's cell i by comparing it with the family's reference. The
 * cell must have a record. */
void shk_singular_decide(struct shk_singular_result *decided, const struct shk_family *family,
                         int i, const struct shk_singular_limits *limits);

#endif
