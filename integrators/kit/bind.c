/* The parts of methods, kept in the method's workspace. */
#include <shakedown/bind.h>

struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding)
{
  return shk_multiplier_create(solver, binding->workspace, binding->evaluator, binding->options);
}

struct shk_status shk_bind_newton(struct shk_newton **newton, const struct shk_binding *binding,
                                  int size, long iterations)
{
  return shk_newton_create(newton, binding->workspace, size, iterations);
}

struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options)
{
  return shk_linear_create(linear, binding->workspace, binding->evaluator, options);
}

struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding)
{
  return shk_manifold_create(manifold, binding->workspace, binding->evaluator);
}

struct shk_status shk_bind_fibre(struct shk_fibre **fibre, const struct shk_binding *binding)
{
  return shk_fibre_create(fibre, binding->workspace, binding->evaluator);
}

struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding)
{
  const struct shk_system *system = binding->evaluator->system;
  *state = (struct shk_state){.n = system->n, .m = system->m};
  real **const arrays[] = {&state->q,       &state->p,      &state->q_carry,
                           &state->p_carry, &state->lambda, &state->mu};
  /* Allocated one by one, so that each array has guard zones. */
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    SHK_TRY(shk_reals(binding->workspace, arrays[i], (size_t)(i < 4 ? system->n : system->m)));
  return shk_ok();
}
