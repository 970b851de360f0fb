/*
 * The claims of <shakedown/claims.def> as data, for what reads, writes and certifies all of them.
 */
#ifndef FOUNDATION_SPECIFICATIONS_CLAIMS_H
#define FOUNDATION_SPECIFICATIONS_CLAIMS_H

#include <shakedown/descriptor.h>

enum {
#define CLAIM(...) +1
  SHK_CLAIMS = 1
#include <shakedown/claims.def>
#undef CLAIM
};

struct shk_claim_entry {
  const char *field; /* of struct shk_claims */
  const char *words;
  bool order; /* else yes or no */
};

/* By enum shk_claim, from 1. */
extern const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS];

/* An order, or enum shk_answer. */
int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim);
void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value);
/* Whether it says anything of it: zero is a claim of an order, no one of an answer. */
bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim);

#endif
