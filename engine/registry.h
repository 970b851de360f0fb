/* The problems, integrators and solvers of one precision: the built-in ones first, then the ones of
 * plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

/* The member `item` of struct shk_engine; solvers come from plug-ins only. */
shk_item_call shk_registry_item;

/* Adds all items of a shared object to the context, or none; it stays loaded until the end. False
 * with the reason: another ABI, precision or size, a missing function, a name that is taken, or no
 * items in this precision (single is optional). */
shk_load_call shk_registry_load;

#endif
