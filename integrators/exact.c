/*
 * An integrator that returns the exact solution if the problem provides one. It serves as a
 * reference and makes no claims.
 */
#include <shakedown/plugin.h>

struct exact {
  struct shk_evaluator *evaluator;
  int n, m;
  const struct shk_instance *instance;
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct exact *self = method;
  self->instance = binding->instance;
  if (!self->instance->exact)
    return shk_refused("no exact solution is known from this start");
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  const struct exact *self = method;
  const struct shk_instance *instance = self->instance;
  shk_fill(to->mu, 0, self->m);
  shk_fill(to->q_carry, 0, self->n);
  shk_fill(to->p_carry, 0, self->n);
  if (instance->exact(instance->system.context, to->q, to->p, to->lambda, from->t + h) != 0)
    return shk_failure(SHK_STOPPED, "the exact solution cannot be evaluated", 0, 0);
  return shk_ok();
}

static const struct shk_option options[] = {{0}};

static const struct shk_integrator exact = {
    SHK_INTEGRATOR(exact, NULL, bind, step, NULL),
    .info = {.name = "exact",
             .family = "references",
             .summary = "the problem's exact solution, if one is known: a reference",
             .equations = "(q,p,lambda)(t) as the problem gives them",
             .citation = "see the problem",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT | SHK_GENERAL_DAE,
             .adaptive = true,
             .exact = true}};

SHK_PROVIDE(exact, .integrators = SHK_INTEGRATORS(&exact));
