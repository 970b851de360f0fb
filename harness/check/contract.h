/*
 * The part of a certificate that is about no claim: what every method owes (measures/conduct.def).
 */
#ifndef HARNESS_CHECK_CONTRACT_H
#define HARNESS_CHECK_CONTRACT_H

#include "engine/context.h"
#include "results/record/finding.h"

#include <stdio.h>

/* Writes the run of a certificate's study that puts these integrators to it, in double and perhaps
 * in quad, which takes thirty times as long; of its measures those wanted, as bits. */
void shk_contract_study(FILE *out, const struct shk_context *context,
                        const char *const *integrators, int count, bool in_quad, unsigned wanted);

/* The words of a row about this finding; NULL: it is about something else. */
const char *shk_contract_words(const struct shk_finding *finding);

#endif
