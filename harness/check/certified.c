/* Subjects of certificates. See certify.h. */
#include "harness/check/certify.h"

#include "measures/quantity.h"

#include <string.h>

#define OWED(quantity, words, measure)                                                             \
  {                                                                                                \
    SHK_CERTIFIED_OWED, words, 1ul << SHK_MEASURE_##measure, SHK_QUANTITY_##quantity               \
  }

/* Subjects other than claims, the measures that decide them (0: all runs), and the quantity of
 * those that are required of every method. */
static const struct {
  int about;
  const char *words;
  unsigned long measures;
  enum shk_quantity_id quantity;
} others[] = {{SHK_CERTIFIED_FIBRE, "fibre identity", 0, SHK_QUANTITIES},
              {SHK_CERTIFIED_APPLIES, "applies", 0, SHK_QUANTITIES},
              {SHK_CERTIFIED_FINISHES, "finishes", 0, SHK_QUANTITIES},
#define CONTRACT(id, name, words, meaning) OWED(id, words, id),
#include "measures/contract.def"
#undef CONTRACT
              OWED(STEPS_BACK, "backward steps", SYMMETRY),
              OWED(TOLERANCE_POWER, "tolerance", TOLERANCE),
              OWED(DOUBLE_AS_QUAD, "double as quad", DOUBLE_AS_QUAD)};
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

enum shk_measure_id shk_certified_measure(int claim)
{
  return claim == SHK_CERTIFIED_FIBRE ? SHK_MEASURE_FIBRE
                                      : shk_measure_deciding((enum shk_claim)claim);
}

unsigned long shk_certified_measures(const char *words)
{
  const int claim = shk_certified_named(words);
  if (claim >= 0)
    return 1ul << shk_certified_measure(claim);
  for (int i = 0; i < OTHERS; i++)
    if (strcmp(others[i].words, words) == 0)
      return others[i].measures;
  return 0;
}

const char *shk_owed_words(enum shk_quantity_id quantity)
{
  for (int i = 0; i < OTHERS; i++)
    if (others[i].about == SHK_CERTIFIED_OWED && others[i].quantity == quantity)
      return others[i].words;
  return NULL;
}
