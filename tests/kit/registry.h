/* The registered problems and integrators of a precision, plug-ins of the context included. */
#ifndef TESTS_KIT_REGISTRY_H
#define TESTS_KIT_REGISTRY_H

#include "engine/registry.h"
#include "tests/kit/context.h"

/* By index from 0; NULL at the end. */
static inline const struct shk_problem *nth_problem(int index)
{
  return shk_registry_item(&test_context, SHK_OPTION_PROBLEM, &index, NULL).itself;
}

static inline const struct shk_integrator *nth_integrator(int index)
{
  return shk_registry_item(&test_context, SHK_OPTION_INTEGRATOR, &index, NULL).itself;
}

/* NULL: there is none of that name. */
static inline const struct shk_problem *problem_named(const char *name)
{
  return shk_registry_item(&test_context, SHK_OPTION_PROBLEM, &(int){0}, name).itself;
}

static inline const struct shk_integrator *integrator_named(const char *name)
{
  return shk_registry_item(&test_context, SHK_OPTION_INTEGRATOR, &(int){0}, name).itself;
}

#endif
