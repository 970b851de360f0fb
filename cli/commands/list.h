/* Lists the names of all problems, integrators, solvers, measures and shipped studies. */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

#include "engine/context.h"

/* A name, its kind ("problem", "integrator", …), the family of a problem or an integrator, and a
 * one-line summary. Members that do not apply are NULL. */
struct shk_listed_name {
  const char *kind, *name, *family, *summary;
};

typedef void shk_name_taker(void *user, const struct shk_listed_name *name);
/* Calls `take` for every name. */
void shk_each_name(const struct shk_context *context, shk_name_taker *take, void *user);

#endif
