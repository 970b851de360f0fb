/* Problem instances. See instance.h. */
#include "problems/kit/instance.h"

#include "mechanics/binding/binding.h"

static struct shk_status set_up(struct shk_instance *instance, const struct shk_problem *problem)
{
  void *context;
  instance->workspace = shk_workspace_create(&context, problem->context_size);
  if (!instance->workspace)
    return shk_failure(SHK_NO_MEMORY, "not enough memory for the problem", 0, 0);
  if (problem->system)
    instance->system = *problem->system;
  instance->system.struct_size = sizeof instance->system;
  instance->system.context = context;
  shk_store_options(context, problem->info.options, instance->parameters);
  return problem->set_up(instance, context);
}

struct shk_status shk_instance_create(struct shk_instance *instance,
                                      const struct shk_problem *problem,
                                      const struct shk_values *parameters)
{
  *instance = (struct shk_instance){.struct_size = sizeof *instance,
                                    .system.struct_size = sizeof instance->system,
                                    .parameters = parameters};
  const struct shk_status status = shk_options_known(set_up(instance, problem), parameters);
  if (status.code != SHK_OK)
    shk_instance_destroy(instance);
  return status;
}

void shk_instance_destroy(struct shk_instance *instance)
{
  shk_workspace_destroy(instance->workspace);
  instance->workspace = NULL;
  instance->system.context = NULL;
}
