/*
 * What the rows of a certificate are about, and the measures that decide it.
 */
#ifndef HARNESS_CHECK_CERTIFIED_H
#define HARNESS_CHECK_CERTIFIED_H

#include "foundation/specifications/claims.h"
#include "measures/quantity.h"

/* enum shk_claim, or one of these. */
enum {
  SHK_CERTIFIED_FIBRE = SHK_CLAIMS, /* the fibre identity, claimed by naming a partner */
  SHK_CERTIFIED_CLAIMS,             /* those before are claims */
  SHK_CERTIFIED_APPLIES = SHK_CERTIFIED_CLAIMS, /* the problem was refused */
  SHK_CERTIFIED_FINISHES,                       /* runs did not finish */
  SHK_CERTIFIED_OWED,                           /* by every method (measures/contract.def) */
  SHK_CERTIFIED_BACKWARD,   /* steps back are as accurate as steps forward (certify_checks.c) */
  SHK_CERTIFIED_TOLERANCES, /* errors fall with the tolerance */
  SHK_CERTIFIED_PRECISIONS, /* double computes what quad does */
  SHK_CERTIFIED_ENDS
};

/* In words: "order of q", "symplectic", "steps back". Of what is owed the first. */
const char *shk_certified_words(int about);

/* The claim that is called so, the fibre identity included; -1: none. */
int shk_certified_named(const char *words);

/* The measures that rows under these words rest on, as bits by enum shk_measure_id: those of
 * claims, and whatever else certificates decide; 0: there are no such rows. */
unsigned shk_certified_measures(const char *words);

/* The words of a row about this finding of a contract check; NULL: it is about something else. */
const char *shk_contract_words(enum shk_quantity_id quantity);

#endif
