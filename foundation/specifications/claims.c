/* Handles claims as data. See claims.h. */
#include "foundation/specifications/claims.h"

#include "foundation/nearest.h"
#include "foundation/number.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(enum shk_answer) == sizeof(int), "answers are read as integers");
#define IS_ORDER true
#define IS_ANSWER false
const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS] = {
#define CLAIM(id, field, kind, words, meaning)                                                     \
  [SHK_CLAIM_##id] = {#field, words, IS_##kind, offsetof(struct shk_claims, field)},
#include <shakedown/claims.def>
#undef CLAIM
};

static int *place_claims(const struct shk_claims *claims, enum shk_claim claim)
{
  return (int *)((char *)claims + shk_claim_entries[claim].offset);
}

int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim)
{
  return claim == SHK_NO_CLAIM ? SHK_UNKNOWN : *place_claims(claims, claim);
}

double shk_claim_level(const struct shk_claims *claims, enum shk_claim claim)
{
  return claim == SHK_CLAIM_KEEPS_CONSTRAINT && claims->keeps_constraint == SHK_YES
             ? claims->constraint_level
             : 0;
}

void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value)
{
  if (claim != SHK_NO_CLAIM)
    *place_claims(claims, claim) = value;
}

bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim)
{
  const int nothing = shk_claim_entries[claim].order ? SHK_NO_ORDER : SHK_UNKNOWN;
  return shk_claim_value(claims, claim) != nothing;
}

bool shk_claim_is_assumed(const struct shk_claims *claims, enum shk_claim claim)
{
  const int value = shk_claim_value(claims, claim);
  return claim == SHK_CLAIM_REVERSIBLE ? value == (int)claims->symmetric
                                       : (claim == SHK_CLAIM_PERMUTATION_EQUIVARIANT ||
                                          claim == SHK_CLAIM_MODIFIED_HAMILTONIAN) &&
                                             value == SHK_YES;
}

/* Compares a key with a field's name. Dashes and underscores are considered equal. */
static bool is_key(const char *field, const char *key)
{
  while (*field != '\0' && (*key == *field || (*field == '_' && *key == '-')))
    field++, key++;
  return *field == '\0' && *key == '\0';
}

static bool read_claimed_order(int *order, const char *value)
{
  enum { HIGHEST = 20 };
  char *end;
  const long read = strtol(value, &end, 10);
  *order = (int)read;
  return end != value && *end == '\0' && read >= 0 && read <= HIGHEST;
}

static bool read_answer(int *answer, const char *value)
{
  static const char *const words[] = {
      [SHK_UNKNOWN] = "unknown", [SHK_YES] = "yes", [SHK_NO] = "no"};
  *answer = shk_name_index(value, words, sizeof *words, SHK_NO + 1);
  return *answer >= 0;
}

/* Parses a level of keeps_constraint, which is a number between 0 and 1. */
static bool read_level(double *level, const char *value)
{
  char *end;
  *level = strtod(value, &end);
  return shk_number_length(value) == strlen(value) && *end == '\0' && *level > 0 && *level < 1;
}

bool shk_claim_read(struct shk_claims *claims, const char *key, const char *value)
{
  int claim = 1, number;
  double level;
  while (claim < SHK_CLAIMS && !is_key(shk_claim_entries[claim].field, key))
    claim++;
  if (claim == SHK_CLAIMS)
    return false;
  if (claim == SHK_CLAIM_KEEPS_CONSTRAINT && read_level(&level, value)) {
    claims->keeps_constraint = SHK_YES;
    claims->constraint_level = level;
    return true;
  }
  const bool ok = shk_claim_entries[claim].order ? read_claimed_order(&number, value)
                                                 : read_answer(&number, value);
  if (ok)
    shk_claim_set(claims, (enum shk_claim)claim, number);
  return ok;
}

#define SHK_FEATURE(feature, word, heading, has) word,
const char *const shk_feature_words[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

bool shk_features_read(unsigned *features, char *words)
{
  for (char *one; (one = strsep(&words, ",")) != NULL;) {
    const int i = shk_name_index(one, shk_feature_words, sizeof one, SHK_FEATURE_COUNT);
    if (i < 0)
      return false;
    *features |= 1u << i;
  }
  return true;
}
