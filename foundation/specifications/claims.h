/*
 * Provides the claims in <shakedown/claims.def> as a table, for code that reads, writes or
 * certifies all claims.
 */
#ifndef FOUNDATION_SPECIFICATIONS_CLAIMS_H
#define FOUNDATION_SPECIFICATIONS_CLAIMS_H

#include <shakedown/parts/descriptor.h>

enum {
#define CLAIM(...) +1
  SHK_CLAIMS = 1
#include <shakedown/claims.def>
#undef CLAIM
};

struct shk_claim_entry {
  const char *field; /* the name of the member in struct shk_claims */
  const char *words; /* the claim's name in messages and tables, for example "order of q" */
  bool order;        /* true if the claim is an order, false if it is a yes-or-no claim */
  size_t offset;
};

/* Indexed by enum shk_claim, starting from 1. */
extern const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS];

/* Returns the value of a claim: an order, or a value of enum shk_answer. */
int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim);
/* Returns the level at which a claim is made. Returns 0 if the level is round-off or if the claim
 * has no level. */
double shk_claim_level(const struct shk_claims *claims, enum shk_claim claim);
void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value);
/* Parses a claim KEY=VALUE in the form that programs use, for example "order-q" and "2",
 * "symplectic" and "yes", or "keeps-constraint" and "1e-6". Returns false if the claim or the value
 * is unknown. */
bool shk_claim_read(struct shk_claims *claims, const char *key, const char *value);
/* Adds the features in `words`, which are separated by commas, to *features. Modifies `words`.
 * Returns false if a feature is unknown. */
bool shk_features_read(unsigned *features, char *words);
/* The names of features, in the order of their bits. */
extern const char *const shk_feature_words[SHK_FEATURE_COUNT];

/* Returns true if a claim is made. An order of zero is a claim, but a yes-or-no answer of zero is
 * not. */
bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim);
/* Returns true if a claim has the default value described in claims.def. Such a claim may not have
 * been made by the author, so it does not have to be demonstrated. */
bool shk_claim_is_assumed(const struct shk_claims *claims, enum shk_claim claim);

#endif
