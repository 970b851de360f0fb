/* All names: of problems, integrators, solvers, measures and shipped studies. */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

#include "engine/context.h"

/* A name, its kind ("problem", "integrator", …), the family of a problem or an integrator, and a line
 * about it; NULL: none. */
struct shk_listed_name {
  const char *kind, *name, *family, *summary;
};

typedef void shk_name_taker(void *user, const struct shk_listed_name *name);
/* Passes every name to `take`. */
void shk_each_name(const struct shk_context *context, shk_name_taker *take, void *user);

#endif
