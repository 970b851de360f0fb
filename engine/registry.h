/* The problems, integrators and solvers of one precision: the built-in ones first, then the ones of
 * plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

/* The member `item` of struct shk_engine; solvers are those of plug-ins. */
struct shk_item shk_registry_item(const struct shk_context *context, enum shk_option_kind kind,
                                  int *index, const char *name);

/* Adds all items of a shared object to the context, or none; it stays loaded until the end. False
 * with the field that differs: another ABI, precision or size, a missing function, a name that is
 * taken, or no items in this precision (single is optional). */
bool shk_registry_load(struct shk_context *context, const char *path, struct shk_message *error);

#endif
