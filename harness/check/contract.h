/*
 * The part of a certificate that is about no claim: what every method owes (measures/conduct.def).
 */
#ifndef HARNESS_CHECK_CONTRACT_H
#define HARNESS_CHECK_CONTRACT_H

#include "results/record/finding.h"

/* The words of a row about this finding; NULL: it is about something else. */
const char *shk_contract_words(const struct shk_finding *finding);

#endif
