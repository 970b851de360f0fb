/*
 * A claim is open if the author of a method made it and a test was supposed to decide it, but no
 * test did. The exit status of try, certify, run, show and check is 1 if anything is falsified.
 * Otherwise it is 3 if a claim is open or a cell failed, and 0 if not.
 */
#ifndef HARNESS_CHECK_OPEN_CLAIMS_H
#define HARNESS_CHECK_OPEN_CLAIMS_H

#include "harness/check/certify.h"

/* Initialize with {0}. */
struct shk_open_claims {
  int count;
  struct shk_open_claim {
    char *integrator, *claim, *reason; /* the claim is given by name; the reason may be NULL */
  } * all;
  bool claims_nothing; /* true if any method makes no claims */
};

/* Adds a claim unless it is already in the list. The reason can be NULL. */
void shk_open_claims_add(struct shk_open_claims *open, const char *integrator, const char *claim,
                         const char *reason);

/* Finds the open claims of a certificate. A claim counts as decided if at least one of its rows is
 * held or falsified and none of them is about failed cells. */
void shk_open_claims_of_certificate(struct shk_open_claims *open,
                                    const struct shk_certificate *certificate);
/* Finds the open claims of a study. A claim of a method is open if a run names the measure that
 * decides it, but all findings about it are undecided. */
void shk_open_claims_of_study(struct shk_open_claims *open, const struct shk_study *study,
                              const struct shk_analysis *analysis);
void shk_open_claims_clear(struct shk_open_claims *open);

/* Returns the exit status for a certificate: 1 if any row is falsified, 3 if no row is falsified
 * but a claim is open or cells failed, and 0 otherwise. */
int shk_certificate_exit_code(const struct shk_certificate *certificate);
/* Returns the exit status for a command, taking open claims into account. `code` is the exit status
 * that follows from the verdicts alone. */
int shk_open_claims_exit_code(const struct shk_open_claims *open, int code);

#endif
