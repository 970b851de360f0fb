/* Subjects of certificates. See certified.h. */
#include "harness/check/certified.h"

#include "measures/quantity.h"

#include <string.h>

#define BIT(measure) (1u << SHK_MEASURE_##measure)

/* Subjects other than claims. Those of all runs do not depend on a measure. */
static const struct {
  int about;
  const char *words;
  unsigned measures;
} others[] = {{SHK_CERTIFIED_FIBRE, "fibre identity", BIT(FIBRE)},
              {SHK_CERTIFIED_APPLIES, "applies", 0},
              {SHK_CERTIFIED_FINISHES, "finishes", 0},
#define CONTRACT(id, name, words, meaning) {SHK_CERTIFIED_OWED, words, BIT(id)},
#include "measures/contract.def"
#undef CONTRACT
              {SHK_CERTIFIED_BACKWARD, "steps back", BIT(SYMMETRY)},
              {SHK_CERTIFIED_TOLERANCES, "tolerance", BIT(ORDER) | BIT(ERROR)},
              {SHK_CERTIFIED_PRECISIONS, "double as quad", BIT(ORDER) | BIT(CONSTRAINT)}};
enum { OTHERS = sizeof others / sizeof others[0] };

const char *shk_certified_words(int about)
{
  for (int i = 0; i < OTHERS; i++)
    if (others[i].about == about)
      return others[i].words;
  return shk_claim_entries[about].words;
}

int shk_certified_named(const char *words)
{
  for (int i = 1; i < SHK_CERTIFIED_CLAIMS; i++)
    if (strcmp(shk_certified_words(i), words) == 0)
      return i;
  return -1;
}

unsigned shk_certified_measures(const char *words)
{
  const int claim = shk_certified_named(words);
  if (claim >= 0 && claim < SHK_CLAIMS)
    return 1u << shk_measure_deciding((enum shk_claim)claim);
  for (int i = 0; i < OTHERS; i++)
    if (strcmp(others[i].words, words) == 0)
      return others[i].measures;
  return 0;
}

const char *shk_contract_words(enum shk_quantity_id quantity)
{
  switch (quantity) {
#define CONTRACT(id, name, words, meaning)                                                         \
  case SHK_QUANTITY_##id:                                                                          \
    return words;
#include "measures/contract.def"
#undef CONTRACT
  default:
    return NULL;
  }
}
