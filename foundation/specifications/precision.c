/* Defines a table of the precisions and their names. */
#include "foundation/specifications/precision.h"

#include "foundation/nearest.h"

const char *const shk_precision_names[SHK_PRECISIONS + 1] = {"single", "double", "quad", NULL};
static const struct shk_precision precisions[SHK_PRECISIONS] = {
    {0x1p-23, 1}, {0x1p-52, 1}, {0x1p-112, 50}};

const struct shk_precision *shk_precision_named(const char *name)
{
  const int i = shk_name_index(name, shk_precision_names, sizeof name, SHK_PRECISIONS);
  return i < 0 ? NULL : &precisions[i];
}
