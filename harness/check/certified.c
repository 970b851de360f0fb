/* Defines the subjects of certificates and their measures; see certify.h. */
#include "harness/check/certify.h"

#include <string.h>

static const char *const beside_claims[] = {"fibre identity", "applies", "finishes",
                                            "likely cause"};

/* The quantities that are tested for every method, and the measures that determine them. */
static const struct {
  enum shk_quantity_id quantity;
  enum shk_measure_id measure;
  const char *words;
} owed[] = {
#define CONTRACT(id, name, words, meaning) {SHK_QUANTITY_##id, SHK_MEASURE_##id, words},
#include "measures/contract.def"
#undef CONTRACT
    {SHK_QUANTITY_STEPS_BACK, SHK_MEASURE_SYMMETRY, "backward steps"},
    {SHK_QUANTITY_TOLERANCE_POWER, SHK_MEASURE_TOLERANCE, "tolerance"},
    {SHK_QUANTITY_DOUBLE_AS_QUAD, SHK_MEASURE_DOUBLE_AS_QUAD, "double as quad"}};
enum { OWED = sizeof owed / sizeof owed[0] };

const char *shk_certified_words(int about)
{
  return about < SHK_CLAIMS           ? shk_claim_entries[about].words
         : about < SHK_CERTIFIED_OWED ? beside_claims[about - SHK_CLAIMS]
                                      : NULL;
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
  for (int i = 0; i < OWED; i++)
    if (strcmp(owed[i].words, words) == 0)
      return 1ul << owed[i].measure;
  return 0;
}

const char *shk_owed_words(enum shk_quantity_id quantity)
{
  for (int i = 0; i < OWED; i++)
    if (owed[i].quantity == quantity)
      return owed[i].words;
  return NULL;
}
