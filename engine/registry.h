/* The problems, integrators and solvers of one precision: the built-in ones first, then the ones of
 * plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

int shk_registry_problem_count(const struct shk_context *context);
int shk_registry_integrator_count(const struct shk_context *context);
const struct shk_problem *shk_registry_problem(const struct shk_context *context, int index);
const struct shk_integrator *shk_registry_integrator(const struct shk_context *context, int index);
/* Solvers of plug-ins only. */
const struct shk_rod_solver *shk_registry_solver(const struct shk_context *context, int index);
/* NULL if there is none of that name. */
const struct shk_problem *shk_registry_find_problem(const struct shk_context *context,
                                                    const char *name);
const struct shk_integrator *shk_registry_find_integrator(const struct shk_context *context,
                                                          const char *name);
const struct shk_rod_solver *shk_registry_find_solver(const struct shk_context *context,
                                                      const char *name);

/* Adds all items of a shared object to the context, or none; it stays loaded until the end. False
 * with the field that differs: another ABI, precision or size, a missing function, a name that is
 * taken, or no items in this precision (single is optional). */
bool shk_registry_load(struct shk_context *context, const char *path, struct shk_message *error);

#endif
