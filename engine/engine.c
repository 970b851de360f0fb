/* Looks up the engines by name. See engine.h. */
#include "engine/engine.h"

#include "build_parts.h"
#include "foundation/specifications/precision.h"

#include <stdlib.h>
#include <string.h>

/* Some builds do not include quad precision. */
extern const struct shk_engine shk_engine_f32, shk_engine_f128;

const struct shk_engine *const shk_engines[] = {SHK_ENGINES, NULL};

const struct shk_engine *shk_finest_engine(void)
{
  int last = 0;
  while (shk_engines[last + 1])
    last++;
  return shk_engines[last];
}

bool shk_difference(double *difference, double *size, const struct shk_vector *a,
                    const struct shk_vector *b)
{
  struct shk_block_errors errors = {.room = 0};
  const bool ok = shk_finest_engine()->compare(&errors, a, b);
  *difference = errors.difference;
  *size = errors.size;
  return ok;
}

char *shk_vector_text(const struct shk_vector *vector)
{
  for (int i = 0; shk_engines[i]; i++)
    if (shk_engines[i]->bits == vector->bits)
      return shk_engines[i]->text(vector);
  return NULL;
}

const struct shk_engine *shk_engine_named(const char *precision, struct shk_message *error)
{
  for (int i = 0; shk_engines[i]; i++)
    if (strcmp(precision, shk_engines[i]->precision) == 0)
      return shk_engines[i];
  if (shk_precision_named(precision))
    shk_message_set(error, "this program was built without %s precision", precision);
  else
    shk_message_set(error, "there is no precision '%s'; expected " SHK_PRECISION_WORDS, precision);
  return NULL;
}
