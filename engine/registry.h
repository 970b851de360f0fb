/* Maintains the problems, integrators and solvers for one precision. Built-in items come first,
 * followed by those from plug-ins that the context has loaded. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "engine/context.h"
#include <shakedown/plugin.h>

/* Implements the member `item` of struct shk_engine. Solvers come only from plug-ins. */
shk_item_call shk_registry_item;

/* Adds either all items of a shared object to the context, or none of them. The object remains
 * loaded until the process exits. Returns false and sets the reason if the ABI, a precision or a
 * size differs, a function is missing, a name is already in use, or there are no items in this
 * precision (single is optional). */
shk_load_call shk_registry_load;

#endif
