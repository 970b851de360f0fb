/* Problems made of another one; see wrapped.h. */
#include "problems/kit/wrapped.h"

static void destroy_inner(void *inner)
{
  shk_instance_destroy(inner);
}

static void clear_pattern(void *pattern)
{
  shk_evaluator_clear(pattern);
}

struct shk_status shk_wrapped_create(struct shk_wrapped *wrapped, struct shk_instance *instance)
{
  const struct shk_values *values = instance->parameters;
  const struct shk_problem *problem = shk_values_part(values, "problem");
  if (!problem)
    return shk_failure(SHK_BAD_INPUT, "there is no problem of the name that is given", 0, 0);
  SHK_TRY(shk_instance_create(&wrapped->inner, problem, shk_values_nested(values, "problem")));
  SHK_TRY(shk_keep(instance->workspace, &wrapped->inner, destroy_inner));
  const struct shk_system *system = &wrapped->inner.system;
  if (system->features & (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE))
    return shk_failure(SHK_BAD_INPUT,
                       "the problem that is given must have constraints g(q) or g(q,t)", 0, 0);
  SHK_TRY(shk_evaluator_init(&wrapped->pattern, system));
  return shk_keep(instance->workspace, &wrapped->pattern, clear_pattern);
}

void shk_wrap(struct shk_instance *instance, struct shk_wrapped *wrapped,
              const struct shk_instance *ours, const void *context,
              int (*place)(const void *context, real *positions, real t, const real *q))
{
  const struct shk_instance *inner = &wrapped->inner;
  struct shk_system *system = &instance->system;
#define IF_THERE(name) .name = inner->system.name ? ours->system.name : NULL,
  *system = (struct shk_system){.struct_size = sizeof *system,
                                .n = inner->system.n,
                                .m = inner->system.m,
                                .features = inner->system.features,
                                .context = context,
                                SHK_WRAPPED_SYSTEM(IF_THERE)};
#undef IF_THERE
#define IF_THERE(name) instance->name = inner->name ? ours->name : NULL;
  SHK_WRAPPED_INSTANCE(IF_THERE)
#undef IF_THERE
  instance->initial_time = inner->initial_time;
  instance->time_scale = inner->time_scale;
  instance->horizon = inner->horizon;
  instance->undecidable = inner->undecidable;
  instance->invariant_count = inner->invariant_count;
  instance->invariant_names = inner->invariant_names;
  instance->branch_count = inner->branch_count;
  instance->branch_names = inner->branch_names;
  if (inner->picture) {
    wrapped->picture = *inner->picture;
    wrapped->picture.place = place;
    instance->picture = &wrapped->picture;
  }
}

void shk_wrapped_adopt(const struct shk_wrapped *wrapped, const real *q, const real *p)
{
  wrapped->inner.adopt((struct shk_instance *)&wrapped->inner, q, p);
}

int shk_wrapped_place(const struct shk_wrapped *wrapped, real *positions, real t, const real *q)
{
  const struct shk_picture *picture = wrapped->inner.picture;
  if (picture->place)
    return picture->place(wrapped->inner.system.context, positions, t, q);
  for (int i = 0; i < picture->point_count * picture->dimension; i++)
    positions[i] = q[i];
  return 0;
}
