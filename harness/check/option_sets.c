/* The table of option sets. See option_sets.h. */
#include "harness/check/option_sets.h"

#include "engine/names.h"

#include <stdlib.h>
#include <string.h>

#define OPTION_SET(integrator, problem) {integrator, problem},
const struct shk_option_set shk_option_sets[] = {
#include "harness/check/option_sets.def"
    {NULL, NULL}};
#undef OPTION_SET

const char *shk_reaching_problem(int *place, const struct shk_context *context,
                                 const char *integrator)
{
  while (shk_option_sets[*place].integrator) {
    const struct shk_option_set *const set = &shk_option_sets[(*place)++];
    struct shk_message error;
    char *const spec =
        set->problem ? shk_canonical_integrator(context, set->integrator, &error) : NULL;
    const bool same = spec != NULL && strcmp(spec, integrator) == 0;
    free(spec);
    if (same)
      return set->problem;
  }
  return NULL;
}
