/* All names: of problems, integrators, solvers, measures and shipped studies. */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

#include "engine/context.h"

/* Receives a name, its kind ("problem", "integrator", …) and a line about it (NULL: none). */
typedef void shk_name_taker(void *user, const char *kind, const char *name, const char *summary);
/* Passes every name to `take`. */
void shk_each_name(const struct shk_context *context, shk_name_taker *take, void *user);

#endif
