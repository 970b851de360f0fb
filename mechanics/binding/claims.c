/* Stores the claims that a descriptor lists. Claims that it does not list are unknown. */
#include <shakedown/parts/integrator.h>

void shk_claims_stated(struct shk_claims *claims, const struct shk_stated *list)
{
#define CLAIM_NOTHING_ORDER SHK_NO_ORDER
#define CLAIM_NOTHING_ANSWER SHK_UNKNOWN
#define CLAIM(id, field, kind, words, meaning) .field = CLAIM_NOTHING_##kind,
  *claims = (struct shk_claims){
#include <shakedown/claims.def>
  };
#undef CLAIM
  for (const struct shk_stated *s = list; s && s->claim != SHK_NO_CLAIM; s++) {
    const bool level = s->claim == SHK_CLAIM_KEEPS_CONSTRAINT && s->value > 0 && s->value < 1;
    const int value = level ? SHK_YES : (int)s->value;
    claims->constraint_level = level ? s->value : claims->constraint_level;
    switch (s->claim) {
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
}
