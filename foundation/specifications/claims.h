/*
 * The claims of <shakedown/claims.def> as data, for code that reads, writes or certifies all of
 * them.
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
  size_t offset;
};

/* By enum shk_claim, from 1. */
extern const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS];

/* An order, or enum shk_answer. */
int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim);
void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value);
/* Reads a claim as programs write it, KEY=VALUE: "order-q", "2"; "symplectic", "yes". False if
 * there is no such claim, or none of that value. */
bool shk_claim_read(struct shk_claims *claims, const char *key, const char *value);
/* Adds features to *features, by their words with commas between them, which are cut apart. False
 * at one that there is not. */
bool shk_features_read(unsigned *features, char *words);
/* The words of features, in the order of their bits. */
extern const char *const shk_feature_words[SHK_FEATURE_COUNT];

/* Whether it is claimed: of an order zero is a claim, of an answer it is none. */
bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim);

#endif
