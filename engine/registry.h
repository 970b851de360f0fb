/* The problems and integrators of one precision: those built in, then those of plug-ins. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include "foundation/message.h"
#include <shakedown/plugin.h>

#define shk_registry_problem_count SHK_NAME(shk_registry_problem_count)
#define shk_registry_integrator_count SHK_NAME(shk_registry_integrator_count)
#define shk_registry_problem SHK_NAME(shk_registry_problem)
#define shk_registry_integrator SHK_NAME(shk_registry_integrator)
#define shk_registry_find_problem SHK_NAME(shk_registry_find_problem)
#define shk_registry_find_integrator SHK_NAME(shk_registry_find_integrator)
#define shk_registry_load SHK_NAME(shk_registry_load)

int shk_registry_problem_count(void);
int shk_registry_integrator_count(void);
const struct shk_problem *shk_registry_problem(int index);
const struct shk_integrator *shk_registry_integrator(int index);
/* NULL if there is none of that name. */
const struct shk_problem *shk_registry_find_problem(const char *name);
const struct shk_integrator *shk_registry_find_integrator(const char *name);

/* Opens a shared object and adds what it provides, all or nothing. A different ABI, precision or
 * size, a missing function, a name that is taken: refused with the field that differs. A plug-in
 * that lacks this precision altogether is refused too. Stays loaded until the end. */
bool shk_registry_load(const char *path, struct shk_message *error);

#endif
