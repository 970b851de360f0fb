/*
 * Binds integrators to systems and handles their states and claims. Also handles base integrators,
 * which are named by an option of another integrator.
 */
#include "integrators/kit/base.h"

#include "mechanics/binding/binding.h"
#include <shakedown/bind.h>

/* The entries follow the order of enum shk_feature. */
#define SHK_FEATURE(feature, word, heading, has) "the base does not apply: the problem has " has,
static const char *const lacks[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

/* All claims are unknown if the integrator does not exist. */
static void name_base_integrator(struct shk_base *base, const struct shk_values *options,
                                 const char *option)
{
  *base = (struct shk_base){.integrator = shk_values_part(options, option),
                            .options = shk_values_nested(options, option)};
  if (base->integrator)
    shk_claims_under(&base->claims, base->integrator, base->options);
  else
    shk_claims_stated(&base->claims, NULL);
}

/* Stores an integrator's options in its struct, including the names of its base integrators. */
static void store_method_options(void *method, const struct shk_integrator *integrator,
                                 const struct shk_values *options)
{
  shk_store_options(method, integrator->info.options, options);
  if (integrator->options_at != 0)
    *(const struct shk_values **)shk_member(method, integrator->options_at) = options;
  for (const struct shk_option *o = integrator->info.options; o && o->name; o++)
    if (o->kind == SHK_OPTION_INTEGRATOR && o->at != 0)
      name_base_integrator(shk_member(method, o->at), options, o->name);
}

static struct shk_status fill_method(void *method, const struct shk_integrator *integrator,
                                     struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  *(struct shk_evaluator **)shk_member(method, integrator->evaluator_at) = e;
  *(int *)shk_member(method, integrator->n_at) = e->system->n;
  *(int *)shk_member(method, integrator->m_at) = e->system->m;
  store_method_options(method, integrator, binding->options);
  SHK_TRY(shk_create_arrays(method, integrator->arrays, e, binding->workspace));
  return integrator->bind ? integrator->bind(method, binding) : shk_ok();
}

struct shk_status shk_method_create(void **method, const struct shk_integrator *integrator,
                                    const struct shk_binding *binding)
{
  *method = NULL;
  binding->evaluator->solving = NULL;
  if (integrator->info.double_only && SHK_PRECISION != (integrator->info.in_single ? 32 : 64))
    return shk_refused("the method is not available in this precision");
  struct shk_binding own = *binding;
  own.integrator = integrator;
  void *made;
  own.workspace = shk_workspace_create(&made, integrator->method_size);
  SHK_TRY(shk_allocated(own.workspace));
  const struct shk_status status =
      shk_options_known(fill_method(made, integrator, &own), binding->options);
  if (status.code == SHK_OK)
    *method = made;
  else
    shk_workspace_destroy(own.workspace);
  return status;
}

size_t shk_method_memory(const struct shk_integrator *integrator, const void *method,
                         const struct shk_evaluator *evaluator)
{
  size_t count = 0;
  for (const struct shk_array *a = integrator->memory; a && a->at != 0; a++)
    count += shk_array_length(method, a, evaluator);
  return count;
}

void shk_view_memory(void *view, const struct shk_array *memory, const void *method,
                     const struct shk_evaluator *evaluator, const struct shk_state *state)
{
  real *at = state->memory;
  for (const struct shk_array *a = memory; a->at != 0; a++) {
    *(real **)shk_member(view, a->at) = at;
    at += shk_array_length(method, a, evaluator);
  }
}

void shk_method_destroy(void *method)
{
  if (method)
    shk_workspace_destroy(shk_workspace_of(method));
}

static bool has_double_base(void *method, const struct shk_integrator *integrator)
{
  for (const struct shk_option *o = integrator->info.options; o && o->name; o++)
    if (o->kind == SHK_OPTION_INTEGRATOR && o->at != 0 &&
        ((const struct shk_base *)shk_member(method, o->at))->claims.double_only)
      return true;
  return false;
}

void shk_claims_under(struct shk_claims *claims, const struct shk_integrator *integrator,
                      const struct shk_values *options)
{
  void *method; /* an unbound struct that only stores the options */
  shk_claims_stated(claims, integrator->info.claims);
  if (integrator->claims_under) {
    struct shk_workspace *workspace = shk_workspace_create(&method, integrator->method_size);
    if (workspace) {
      store_method_options(method, integrator, options);
      integrator->claims_under(claims, method);
      claims->double_only = claims->double_only || has_double_base(method, integrator);
    }
    shk_workspace_destroy(workspace);
  }
  claims->double_only = claims->double_only || integrator->info.double_only;
}

static void destroy_base(void *base)
{
  shk_method_destroy(((struct shk_base *)base)->method);
}

struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding)
{
  if (!base->integrator)
    return shk_failure(SHK_BAD_INPUT, "there is no integrator with the base's name", 0, 0);
  const struct shk_integrator_info *info = &base->integrator->info;
  if (info->adaptive || info->exact)
    return shk_refused("the base is not a one-step map with a fixed step");
  /* Velocity constraints are checked at the start of a run instead of here, because holonomic ones
   * are supported. */
  const unsigned missing =
      binding->instance->system.features & ~info->supports & ~(unsigned)SHK_VELOCITY_CONSTRAINT;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    if (missing & 1u << i)
      return shk_refused(lacks[i]);
  struct shk_binding own = *binding;
  own.options = base->options;
  SHK_TRY(shk_method_create(&base->method, base->integrator, &own));
  SHK_TRY(shk_keep(binding->workspace, base, destroy_base));
  return shk_method_memory(base->integrator, base->method, own.evaluator) == 0
             ? shk_ok()
             : shk_refused("the base is not a map of (q,p): it has memory");
}

struct shk_status shk_base_step(struct shk_base *base, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  SHK_TRY(base->integrator->step(base->method, to, from, h));
  to->t = from->t + h;
  return shk_ok();
}

struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding)
{
  const struct shk_system *system = binding->evaluator->system;
  *state = (struct shk_state){.n = system->n, .m = system->m};
  real **const arrays[] = {&state->q,       &state->p,      &state->q_carry,
                           &state->p_carry, &state->lambda, &state->mu};
  /* The arrays are allocated separately, so that each has its own guards. */
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    SHK_TRY(shk_reals(binding->workspace, arrays[i], (size_t)(i < 4 ? system->n : system->m)));
  return shk_ok();
}
