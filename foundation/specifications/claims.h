/*
 * The claims of <shakedown/claims.def> as a table, for code that reads, writes or certifies all
 * claims.
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
  const char *field; /* name in struct shk_claims */
  const char *words; /* name in texts: "order of q" */
  bool order;        /* an order; false: a yes or no */
  size_t offset;
};

/* Indexed by enum shk_claim, from 1. */
extern const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS];

/* Returns the value of a claim: an order, or enum shk_answer. */
int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim);
/* Returns the level at which a claim is made; 0: at round-off, or it has none. */
double shk_claim_level(const struct shk_claims *claims, enum shk_claim claim);
void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value);
/* Reads a claim KEY=VALUE as programs write it: "order-q", "2"; "symplectic", "yes";
 * "keeps-constraint", "1e-6". False for an unknown claim or value. */
bool shk_claim_read(struct shk_claims *claims, const char *key, const char *value);
/* Adds the features in `words`, separated by commas, to *features; `words` is modified. False at an
 * unknown feature. */
bool shk_features_read(unsigned *features, char *words);
/* The names of features, in the order of their bits. */
extern const char *const shk_feature_words[SHK_FEATURE_COUNT];

/* True if a claim is made. An order of zero is a claim; an answer of zero is none. */
bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim);
/* True if the value of a claim is the one that claims.def has as its default: the author need not
 * have stated it, and it need not be demonstrated. */
bool shk_claim_is_assumed(const struct shk_claims *claims, enum shk_claim claim);

#endif
