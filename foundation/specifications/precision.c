/* The precisions by name. */
#include "foundation/specifications/precision.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const shk_precision_names[SHK_PRECISIONS + 1] = {"single", "double", "quad", NULL};
static const struct shk_precision precisions[SHK_PRECISIONS] = {
    {0x1p-23, 1}, {0x1p-52, 1}, {0x1p-112, 50}};

const struct shk_precision *shk_precision_named(const char *name)
{
  for (int i = 0; i < SHK_PRECISIONS; i++)
    if (strcmp(name, shk_precision_names[i]) == 0)
      return &precisions[i];
  return NULL;
}

double shk_precision_epsilon(const char *name)
{
  const struct shk_precision *const precision = shk_precision_named(name);
  return precision ? precision->epsilon : NAN;
}
