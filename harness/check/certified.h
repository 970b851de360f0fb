/*
 * Subjects of the rows of a certificate, and the measures that decide them.
 */
#ifndef HARNESS_CHECK_CERTIFIED_H
#define HARNESS_CHECK_CERTIFIED_H

#include "foundation/specifications/claims.h"
#include "measures/quantity.h"

/* The subject of a row: an enum shk_claim, or one of these. */
enum {
  SHK_CERTIFIED_FIBRE = SHK_CLAIMS, /* the fibre identity, claimed by naming a partner */
  SHK_CERTIFIED_CLAIMS,             /* the subjects before this one are claims */
  SHK_CERTIFIED_APPLIES = SHK_CERTIFIED_CLAIMS, /* the problem was refused */
  SHK_CERTIFIED_FINISHES,                       /* runs did not finish */
  SHK_CERTIFIED_OWED,       /* required of every method (measures/contract.def) */
  SHK_CERTIFIED_BACKWARD,   /* steps backward are as accurate as steps forward (certify_checks.c) */
  SHK_CERTIFIED_TOLERANCES, /* errors fall with the tolerance */
  SHK_CERTIFIED_PRECISIONS, /* double computes the same as quad */
  SHK_CERTIFIED_ENDS
};

/* The words of a subject: "order of q", "symplectic", "steps back". For SHK_CERTIFIED_OWED those of
 * the first contract check. */
const char *shk_certified_words(int about);

/* The claim with these words, including the fibre identity; -1: none. */
int shk_certified_named(const char *words);

/* The measures that decide rows with these words, as bits by enum shk_measure_id, for claims and
 * for the other subjects; 0: there are no such rows. */
unsigned shk_certified_measures(const char *words);

/* The words of a row about this finding of a contract check; NULL: it is not from a contract
 * check. */
const char *shk_contract_words(enum shk_quantity_id quantity);

#endif
