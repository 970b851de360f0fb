/* Subjects of certificates. See certified.h. */
#include "harness/check/certified.h"

#include "measures/quantity.h"

#include <string.h>

#define BIT(measure) (1u << SHK_MEASURE_##measure)

/* Subjects other than claims, the measures that decide them (0: all runs), and the quantity of a
 * contract check. */
static const struct {
  int about;
  const char *words;
  unsigned measures;
  enum shk_quantity_id quantity;
} others[] = {
    {SHK_CERTIFIED_FIBRE, "fibre identity", BIT(FIBRE), SHK_QUANTITIES},
    {SHK_CERTIFIED_APPLIES, "applies", 0, SHK_QUANTITIES},
    {SHK_CERTIFIED_FINISHES, "finishes", 0, SHK_QUANTITIES},
#define CONTRACT(id, name, words, meaning) {SHK_CERTIFIED_OWED, words, BIT(id), SHK_QUANTITY_##id},
#include "measures/contract.def"
#undef CONTRACT
    {SHK_CERTIFIED_BACKWARD, "steps back", BIT(SYMMETRY), SHK_QUANTITIES},
    {SHK_CERTIFIED_TOLERANCES, "tolerance", BIT(ORDER) | BIT(ERROR), SHK_QUANTITIES},
    {SHK_CERTIFIED_PRECISIONS, "double as quad", BIT(ORDER) | BIT(CONSTRAINT), SHK_QUANTITIES}};
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
  for (int i = 0; i < OTHERS; i++)
    if (others[i].about == SHK_CERTIFIED_OWED && others[i].quantity == quantity)
      return others[i].words;
  return NULL;
}
