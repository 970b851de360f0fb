/* What every method owes, in certificates. See contract.h. */
#include "harness/check/contract.h"

#include "measures/quantity.h"

const char *shk_contract_words(const struct shk_finding *finding)
{
  switch (finding->named.id) {
#define CONDUCT(id, name, words, meaning)                                                          \
  case SHK_QUANTITY_##id:                                                                          \
    return words;
#include "measures/conduct.def"
#undef CONDUCT
  default:
    return NULL;
  }
}
