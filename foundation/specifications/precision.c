/* The precisions by name. */
#include "foundation/specifications/precision.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const struct shk_precision shk_precisions[SHK_PRECISIONS] = {
    {"single", 32, 0x1p-23, 1}, {"double", 64, 0x1p-52, 1}, {"quad", 128, 0x1p-112, 50}};
const char *const shk_precision_names[SHK_PRECISIONS + 1] = {"single", "double", "quad", NULL};

const struct shk_precision *shk_precision_named(const char *name)
{
  for (int i = 0; i < SHK_PRECISIONS; i++)
    if (strcmp(name, shk_precisions[i].name) == 0)
      return &shk_precisions[i];
  return NULL;
}

double shk_precision_epsilon(const char *name)
{
  const struct shk_precision *const precision = shk_precision_named(name);
  return precision ? precision->epsilon : NAN;
}
