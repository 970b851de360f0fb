/*
 * Evaluation of a state: its residuals and energy, p = M(q) v from the velocity or v = H_p(q,p)
 * from the momentum, and the multiplier by the exact formula.
 */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "measures/block.h"
#include "mechanics/system/callback.h"

#include <string.h>

struct shk_status shk_mass_matrix(const struct shk_system *s, real *M, const real *q)
{
  const size_t n = (size_t)s->n;
  if (s->mass_matrix)
    return shk_callback_status(s->mass_matrix(s->context, M, q));
  if (!s->mass)
    return shk_refused("the momenta are not a mass matrix times the velocities");
  memset(M, 0, n * n * sizeof *M);
  for (size_t i = 0; i < n; i++)
    M[i * n + i] = s->mass[i];
  return shk_ok();
}

static struct shk_status take_part(real *x, int n, const struct shk_vector *from,
                                   const char *refusal)
{
  bool ok = from->count == n;
  for (int i = 0; ok && i < n; i++) {
    x[i] = shk_vector_at(from, i);
    ok = real_isfinite(x[i]);
  }
  return ok ? shk_ok() : shk_failure(SHK_BAD_INPUT, refusal, n, 0);
}

/* Evaluates the state in bound->start, which it makes from q and p or v. */
static struct shk_status observe(struct shk_observation *observation, struct shk_bound *bound,
                                 real t, const struct shk_vector *given_q,
                                 const struct shk_vector *given_p, const struct shk_vector *given_v)
{
  const struct shk_system *const system = &bound->instance.system;
  const int n = system->n, m = system->m;
  struct shk_state *const s = &bound->start;
  real energy, *v, *g, *mass;
  if (!shk_state_init(s, n, m))
    return shk_no_memory();
  SHK_TRY(shk_reals(bound->instance.workspace, &v, (size_t)n));
  SHK_TRY(shk_reals(bound->instance.workspace, &g, 2 * (size_t)m));
  SHK_TRY(take_part(s->q, n, given_q, "q: expected %g finite numbers"));
  if (given_p)
    SHK_TRY(take_part(s->p, n, given_p, "p: expected %g finite numbers"));
  else
    SHK_TRY(take_part(v, n, given_v, "v: expected %g finite numbers"));
  if (system->features & SHK_GENERAL_DAE)
    return shk_refused("it is not a mechanical system");
  if (!given_p) {
    SHK_TRY(shk_reals(bound->instance.workspace, &mass, (size_t)n * (size_t)n));
    SHK_TRY(shk_mass_matrix(system, mass, s->q));
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        s->p[i] += mass[i * n + k] * v[k];
  }
  SHK_TRY(shk_velocity(&bound->observer, v, t, s->q, s->p));
  SHK_TRY(shk_hamiltonian(&bound->observer, &energy, t, s->q, s->p));
  SHK_TRY(shk_manifold_residuals(bound->manifold, g, g + m, t, s->q, s->p));
  SHK_TRY(shk_exact_multiplier(bound->manifold, s->lambda, t, s->q, s->p));
  *observation = (struct shk_observation){.constraint = (double)shk_constraint_norm(system, g),
                                          .hidden = (double)shk_constraint_norm(system, g + m),
                                          .energy = shk_vector_of(&energy, 1),
                                          .p = shk_vector_of(s->p, n),
                                          .v = shk_vector_of(v, n),
                                          .lambda = shk_vector_of(s->lambda, m)};
  return shk_ok();
}

bool shk_observe_state(const struct shk_context *context, struct shk_observation *observation,
                       const char *problem, const char *since, const struct shk_vector *q,
                       const struct shk_vector *p, const struct shk_vector *v,
                       struct shk_message *error)
{
  struct shk_bound bound;
  real t;
  *observation = (struct shk_observation){0};
  bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK;
  if (ok && !shk_real_parse(&t, since)) {
    shk_message_set(error, "the time '%s' is not a number", since);
    ok = false;
  }
  const real time = ok ? bound.instance.initial_time + t : 0;
  ok = ok && shk_bind_fail(error, observe(observation, &bound, time, q, p, v)) == SHK_OK;
  shk_unbind(&bound);
  return ok;
}
