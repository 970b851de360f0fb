/* The engines by name. See engine.h. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

void shk_observation_clear(struct shk_observation *observation)
{
  free(observation->energy);
  free(observation->p);
  free(observation->v);
  free(observation->lambda);
  *observation = (struct shk_observation){0};
}

const struct shk_engine *shk_engine_named(const char *precision)
{
  if (strcmp(precision, shk_engine_f64.precision) == 0)
    return &shk_engine_f64;
  if (strcmp(precision, shk_engine_f128.precision) == 0)
    return &shk_engine_f128;
  return NULL;
}
