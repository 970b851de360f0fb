/* A certificate for people: a line for each claim, and why something is not upheld. */
#ifndef CLI_COMMANDS_CERTIFY_CLAIMS_H
#define CLI_COMMANDS_CERTIFY_CLAIMS_H

#include "harness/check/certify.h"

/* Falsified, not shown or failed. */
bool shk_is_bad(enum shk_verdict verdict);

/* A line for each claim: the verdict of all problems together, on how many it was held, falsified
 * and undecided, and between what the values are that decided. */
void shk_print_claims(const struct shk_certificate *certificate);

/* Why something does not hold, the same sentence about several problems once; and the count of
 * verdicts. */
void shk_print_reasons(const struct shk_certificate *certificate);

#endif
