/* The problems, integrators and solvers of one precision: those built in, then those of the
 * plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

int shk_registry_problem_count(const struct shk_context *context);
int shk_registry_integrator_count(const struct shk_context *context);
const struct shk_problem *shk_registry_problem(const struct shk_context *context, int index);
const struct shk_integrator *shk_registry_integrator(const struct shk_context *context, int index);
/* Those of plug-ins. */
const struct shk_rod_solver *shk_registry_solver(const struct shk_context *context, int index);
/* NULL if there is none of that name. */
const struct shk_problem *shk_registry_find_problem(const struct shk_context *context,
                                                    const char *name);
const struct shk_integrator *shk_registry_find_integrator(const struct shk_context *context,
                                                          const char *name);
const struct shk_rod_solver *shk_registry_find_solver(const struct shk_context *context,
                                                      const char *name);

/* Opens a shared object and adds what it provides to the context, all or nothing. Refused, with the
 * field that differs: another ABI, precision or size, a missing function, a name that is taken;
 * refused, too, if it lacks this precision altogether. It stays loaded until the end. */
bool shk_registry_load(struct shk_context *context, const char *path, struct shk_message *error);

#endif
