/*
 * Integrators made of others: the one that an option names, and what it claims. How names are found
 * is the caller's business; nothing here knows of a registry.
 */
#include <shakedown/integrator.h>

#include <string.h>

/* In the order of enum shk_feature. */
#define SHK_FEATURE(feature, heading, has) "the base does not apply: the problem has " has,
static const char *const lacks[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

/* The integrator whose name begins the canonical text of the option. */
static const struct shk_integrator *named(const struct shk_values *options, const char *option,
                                          shk_integrator_finder *find)
{
  const char *text = shk_values_text(options, option);
  char name[128];
  const size_t length = strcspn(text, "(");
  if (length >= sizeof name || find == NULL)
    return NULL;
  memcpy(name, text, length);
  name[length] = '\0';
  return find(name);
}

void shk_claims_under(struct shk_claims *claims, const struct shk_integrator *integrator,
                      const struct shk_values *options, shk_integrator_finder *find)
{
  *claims = integrator->info.claims;
  if (integrator->claims != NULL)
    integrator->claims(claims, options);
  if (integrator->claims_over != NULL)
    integrator->claims_over(claims, options, find);
}

const struct shk_integrator *shk_base_claims(struct shk_claims *claims,
                                             const struct shk_values *options, const char *option,
                                             shk_integrator_finder *find)
{
  const struct shk_integrator *integrator = named(options, option, find);
  if (integrator != NULL)
    shk_claims_under(claims, integrator, shk_values_nested(options, option), find);
  else
    *claims = (struct shk_claims){.order_q = SHK_NO_ORDER,
                                  .order_p = SHK_NO_ORDER,
                                  .order_lambda = SHK_NO_ORDER,
                                  .order_mu = SHK_NO_ORDER,
                                  .order_lambda_mean = SHK_NO_ORDER,
                                  .order_lambda_sum = SHK_NO_ORDER,
                                  .order_lambda_state = SHK_NO_ORDER};
  return integrator;
}

struct shk_status shk_base_create(struct shk_base *base, const struct shk_binding *binding,
                                  const char *option)
{
  *base = (struct shk_base){0};
  struct shk_base made = {0};
  made.integrator = shk_base_claims(&made.claims, binding->options, option, binding->find);
  if (made.integrator == NULL)
    return shk_failure(SHK_BAD_INPUT, "there is no integrator of the base's name", 0, 0);
  const struct shk_integrator_info *info = &made.integrator->info;
  if (info->adaptive || info->exact)
    return shk_failure(SHK_REFUSED, "the base is not a one-step map of fixed step", 0, 0);
  if (info->double_only && SHK_PRECISION != 64)
    return shk_failure(SHK_REFUSED, "the base works in double precision only", 0, 0);
  const unsigned missing = binding->instance->system.features & ~info->supports;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    if (missing & 1u << i)
      return shk_failure(SHK_REFUSED, lacks[i], 0, 0);
  struct shk_binding own = *binding;
  own.options = shk_values_nested(binding->options, option);
  SHK_TRY(made.integrator->create(&made.method, &own));
  *base = made;
  return shk_ok();
}

struct shk_status shk_base_step(struct shk_base *base, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  SHK_TRY(base->integrator->step(base->method, to, from, h));
  to->t = from->t + h;
  return shk_ok();
}

int shk_base_history(const struct shk_base *base, double *residuals, int limit)
{
  if (base->method == NULL || base->integrator->history == NULL)
    return 0;
  return base->integrator->history(base->method, residuals, limit);
}

void shk_base_destroy(struct shk_base *base)
{
  if (base->method != NULL)
    base->integrator->destroy(base->method);
  *base = (struct shk_base){0};
}
