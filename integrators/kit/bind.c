/* The parts of methods, kept in the method's workspace. */
#include <shakedown/bind.h>

/* A destructor with the type void (*)(void *). */
#define DESTROY(name, type, destroy)                                                               \
  static void name(void *object)                                                                   \
  {                                                                                                \
    struct type *const typed = object;                                                             \
    destroy(typed);                                                                                \
  }
DESTROY(destroy_base, shk_base, shk_base_destroy)
DESTROY(destroy_state, shk_state, shk_state_clear)

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

struct shk_status shk_bind_base(struct shk_base *base, const struct shk_binding *binding)
{
  SHK_TRY(shk_base_bind(base, binding));
  return shk_keep(binding->workspace, base, destroy_base);
}

struct shk_status shk_bind_state(struct shk_state *state, const struct shk_binding *binding)
{
  const struct shk_system *system = binding->evaluator->system;
  if (!shk_state_init(state, system->n, system->m))
    return shk_no_memory();
  return shk_keep(binding->workspace, state, destroy_state);
}
