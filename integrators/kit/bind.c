/* What methods are made of, kept in the workspace of the method. */
#include <shakedown/bind.h>

#define STAGE_SWEEPS 1000

/* Destroys what is kept; what it takes is of another type than void *. */
#define DESTROY(name, type, destroy)                                                               \
  static void name(void *object)                                                                   \
  {                                                                                                \
    struct type *const typed = object;                                                             \
    destroy(typed);                                                                                \
  }
DESTROY(destroy_solver, shk_multiplier_solver, shk_multiplier_destroy)
DESTROY(destroy_newton, shk_newton, shk_newton_destroy)
DESTROY(destroy_linear, shk_linear, shk_linear_destroy)
DESTROY(destroy_manifold, shk_manifold, shk_manifold_destroy)
DESTROY(destroy_reduced, shk_reduced, shk_reduced_destroy)
DESTROY(destroy_one_step, shk_one_step, shk_one_step_destroy)
DESTROY(destroy_orthogonal, shk_orthogonal, shk_orthogonal_destroy)
DESTROY(destroy_base, shk_base, shk_base_destroy)
DESTROY(destroy_state, shk_state, shk_state_clear)

struct shk_status shk_bind_solver(struct shk_multiplier_solver **solver,
                                  const struct shk_binding *binding)
{
  SHK_TRY(shk_multiplier_create(solver, binding->evaluator, binding->options));
  return shk_keep(binding->workspace, *solver, destroy_solver);
}

struct shk_status shk_bind_newton(struct shk_newton **newton, const struct shk_binding *binding,
                                  int size, long iterations)
{
  SHK_TRY(shk_newton_create(newton, size, iterations));
  return shk_keep(binding->workspace, *newton, destroy_newton);
}

struct shk_status shk_bind_linear(struct shk_linear **linear, const struct shk_binding *binding,
                                  const struct shk_values *options)
{
  SHK_TRY(shk_linear_create(linear, binding->evaluator, options));
  return shk_keep(binding->workspace, *linear, destroy_linear);
}

struct shk_status shk_bind_manifold(struct shk_manifold **manifold,
                                    const struct shk_binding *binding)
{
  SHK_TRY(shk_manifold_create(manifold, binding->evaluator));
  return shk_keep(binding->workspace, *manifold, destroy_manifold);
}

struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding)
{
  SHK_TRY(shk_reduced_create(reduced, binding->evaluator, binding->options));
  return shk_keep(binding->workspace, *reduced, destroy_reduced);
}

struct shk_status shk_bind_orthogonal(struct shk_orthogonal **orthogonal,
                                      const struct shk_binding *binding)
{
  SHK_TRY(shk_orthogonal_create(orthogonal, binding->evaluator, binding->options));
  return shk_keep(binding->workspace, *orthogonal, destroy_orthogonal);
}

struct shk_status shk_bind_one_step(struct shk_one_step **one_step,
                                    const struct shk_binding *binding, int base,
                                    const struct shk_values *base_options,
                                    shk_slope_function *slope, void *method)
{
  SHK_TRY(shk_one_step_create(one_step, base, base_options, binding->evaluator,
                              2 * binding->evaluator->system->n, STAGE_SWEEPS, slope, method));
  return shk_keep(binding->workspace, *one_step, destroy_one_step);
}

struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding)
{
  SHK_TRY(shk_base_bind(base, binding));
  return shk_keep(binding->workspace, base, destroy_base);
}

struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding)
{
  const struct shk_system *system = binding->evaluator->system;
  if (!shk_state_init(state, system->n, system->m))
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  return shk_keep(binding->workspace, state, destroy_state);
}
