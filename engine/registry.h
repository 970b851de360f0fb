/* The problems, integrators and solvers for one precision: first the built-in ones, then those from
 * the plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

/* The member `item` of struct shk_engine. Solvers come only from plug-ins. */
shk_item_call shk_registry_item;

/* Adds all items of a shared object to the context, or none. The object stays loaded until the
 * process ends. Returns false and sets the reason if the ABI, a precision or a size differs, a
 * function is missing, a name is taken, or there are no items in this precision (single is
 * optional). */
shk_load_call shk_registry_load;

#endif
