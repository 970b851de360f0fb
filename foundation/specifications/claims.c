/* Claims as data. See claims.h. */
#include "foundation/specifications/claims.h"

#define IS_ORDER true
#define IS_ANSWER false
const struct shk_claim_entry shk_claim_entries[SHK_CLAIMS] = {
#define CLAIM(id, field, kind, words, meaning) [SHK_CLAIM_##id] = {#field, words, IS_##kind},
#include <shakedown/claims.def>
#undef CLAIM
};

int shk_claim_value(const struct shk_claims *claims, enum shk_claim claim)
{
  switch (claim) {
#define CLAIM(id, field, kind, words, meaning)                                                     \
  case SHK_CLAIM_##id:                                                                             \
    return (int)claims->field;
#include <shakedown/claims.def>
#undef CLAIM
  case SHK_NO_CLAIM:
    break;
  }
  return SHK_UNKNOWN;
}

void shk_claim_set(struct shk_claims *claims, enum shk_claim claim, int value)
{
  switch (claim) {
#define CLAIM(id, field, kind, words, meaning)                                                     \
  case SHK_CLAIM_##id:                                                                             \
    claims->field = (SHK_TYPE_##kind)value;                                                        \
    break;
#include <shakedown/claims.def>
#undef CLAIM
  case SHK_NO_CLAIM:
    break;
  }
}

bool shk_is_claimed(const struct shk_claims *claims, enum shk_claim claim)
{
  const int nothing = shk_claim_entries[claim].order ? SHK_NO_ORDER : SHK_UNKNOWN;
  return shk_claim_value(claims, claim) != nothing;
}
