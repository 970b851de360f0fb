/*
 * A state of a problem, evaluated: its residuals and energy, p = M(q) v from the velocity or
 * v = H_p(q,p) from the momentum, and the multiplier by the exact formula.
 */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "measures/block.h"

#include <stdlib.h>

static struct shk_status momentum(real *p, real *mass, const struct shk_system *system,
                                  const real *q, const real *v)
{
  const int n = system->n;
  if (system->mass) {
    for (int i = 0; i < n; i++)
      p[i] = system->mass[i] * v[i];
    return shk_ok();
  }
  if (!system->mass_matrix)
    return shk_failure(SHK_REFUSED, "the momenta are not a mass matrix times the velocities", 0, 0);
  if (system->mass_matrix(system->context, mass, q) != 0)
    return shk_failure(SHK_STOPPED, "the mass matrix cannot be evaluated", 0, 0);
  for (int i = 0; i < n; i++) {
    p[i] = 0;
    for (int k = 0; k < n; k++)
      p[i] += mass[i * n + k] * v[k];
  }
  return shk_ok();
}

struct parts {
  real *q, *p, *v, *lambda, *g, *hidden, *mass;
};

static struct shk_status observe(struct shk_observation *observation, struct shk_bound *bound,
                                 struct parts *x, real t, bool from_velocity)
{
  const struct shk_system *system = &bound->instance.system;
  real energy;
  if (system->features & SHK_GENERAL_DAE)
    return shk_failure(SHK_REFUSED, "it is not a mechanical system", 0, 0);
  if (from_velocity)
    SHK_TRY(momentum(x->p, x->mass, system, x->q, x->v));
  SHK_TRY(shk_velocity(&bound->observer, x->v, t, x->q, x->p));
  SHK_TRY(shk_hamiltonian(&bound->observer, &energy, t, x->q, x->p));
  SHK_TRY(shk_manifold_residuals(bound->manifold, x->g, x->hidden, t, x->q, x->p));
  SHK_TRY(shk_exact_multiplier(bound->manifold, x->lambda, t, x->q, x->p));
  *observation = (struct shk_observation){.constraint = (double)shk_constraint_norm(system, x->g),
                                          .hidden = (double)shk_constraint_norm(system, x->hidden),
                                          .energy = shk_vector_of(&energy, 1),
                                          .p = shk_vector_of(x->p, system->n),
                                          .v = shk_vector_of(x->v, system->n),
                                          .lambda = shk_vector_of(x->lambda, system->m)};
  return shk_ok();
}

static bool make_room(struct parts *x, size_t n, size_t m, struct shk_message *error)
{
  real *const memory = calloc(3 * n + 3 * m + n * n + 1, sizeof *memory);
  if (!memory) {
    shk_message_set(error, "no memory for a state of %zu coordinates", n);
    return false;
  }
  *x = (struct parts){.q = memory,
                      .p = memory + n,
                      .v = memory + 2 * n,
                      .lambda = memory + 3 * n,
                      .g = memory + 3 * n + m,
                      .hidden = memory + 3 * n + 2 * m,
                      .mass = memory + 3 * n + 3 * m};
  return true;
}

static bool take_part(real *x, int n, const struct shk_vector *from, const char *what,
                      struct shk_message *error)
{
  bool ok = from->count == n;
  for (int i = 0; ok && i < n; i++) {
    x[i] = shk_vector_at(from, i);
    ok = real_isfinite(x[i]);
  }
  if (!ok)
    shk_message_set(error, "%s: expected %d finite numbers", what, n);
  return ok;
}

static bool observe_at(struct shk_observation *observation, struct shk_bound *bound,
                       struct parts *x, real t, bool from_velocity, struct shk_message *error)
{
  char text[256];
  const struct shk_status status = observe(observation, bound, x, t, from_velocity);
  if (status.code != SHK_OK)
    shk_message_set(error, "%s", shk_status_text(text, sizeof text, status));
  return status.code == SHK_OK;
}

bool shk_observe_state(const struct shk_context *context, struct shk_observation *observation,
                       const char *problem, const char *since, const struct shk_vector *q,
                       const struct shk_vector *p, const struct shk_vector *v,
                       struct shk_message *error)
{
  struct shk_bound bound;
  struct parts x = {0};
  real t;
  *observation = (struct shk_observation){0};
  bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK;
  const struct shk_system *const system = &bound.instance.system;
  if (ok && !shk_real_parse(&t, since)) {
    shk_message_set(error, "the time '%s' is not a number", since);
    ok = false;
  }
  ok = ok && make_room(&x, (size_t)system->n, (size_t)system->m, error) &&
       take_part(x.q, system->n, q, "q", error) &&
       take_part(p ? x.p : x.v, system->n, p ? p : v, p ? "p" : "v", error) &&
       observe_at(observation, &bound, &x, bound.instance.initial_time + t, !p, error);
  free(x.q);
  shk_unbind(&bound);
  return ok;
}
