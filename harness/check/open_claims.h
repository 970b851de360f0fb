/*
 * Open claims are claims that the author of a method made, that a test was supposed to decide, and
 * that nothing decided. The exit status of try, certify, run, show and check is 1 if something is
 * falsified, else 3 if a claim is open or a cell failed, else 0.
 */
#ifndef HARNESS_CHECK_OPEN_CLAIMS_H
#define HARNESS_CHECK_OPEN_CLAIMS_H

#include "harness/check/certify.h"

/* Initialize with {0}. */
struct shk_open_claims {
  int count;
  struct shk_open_claim {
    char *integrator, *claim, *reason; /* the claim is in words; the reason may be NULL */
  } * all;
  bool claims_nothing; /* true if a method makes no claims */
};

/* Adds a claim unless it is already in the list. The reason can be NULL. */
void shk_open_claims_add(struct shk_open_claims *open, const char *integrator, const char *claim,
                         const char *reason);

/* Finds the open claims of a certificate. A claim is decided if at least one of its rows is held or
 * falsified and none is about failed cells. */
void shk_open_claims_of_certificate(struct shk_open_claims *open,
                                    const struct shk_certificate *certificate);
/* Finds the open claims of a study: those claims of its methods for which a run names the measure
 * and whose findings are all undecided. */
void shk_open_claims_of_study(struct shk_open_claims *open, const struct shk_study *study,
                              const struct shk_analysis *analysis);
void shk_open_claims_clear(struct shk_open_claims *open);

/* Returns the exit status of a certificate: 1 if a row is falsified, else 3 if a claim is open or
 * cells failed, else 0. */
int shk_certificate_exit_code(const struct shk_certificate *certificate);
/* Returns the exit status of a command that would return `code` if it considered only its
 * verdicts. */
int shk_open_claims_exit_code(const struct shk_open_claims *open, int code);

#endif
