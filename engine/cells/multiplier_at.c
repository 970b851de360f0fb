/* Computes the mass matrix of a system, and the multiplier at a state with the exact formula. */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "measures/block.h"
#include "mechanics/binding/real_text.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/state.h"

#include <string.h>

struct shk_status shk_mass_matrix(const struct shk_system *s, real *M, const real *q)
{
  const size_t n = (size_t)s->n;
  if (s->mass_matrix)
    return shk_callback_status(s, s->mass_matrix(s->context, M, q));
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

static struct shk_status solve_multiplier_at(struct shk_vector *lambda, struct shk_bound *bound,
                                             real t, const struct shk_vector *q,
                                             const struct shk_vector *p)
{
  const struct shk_system *const system = &bound->instance.system;
  struct shk_state *const s = &bound->start;
  if (!shk_state_init(s, system->n, system->m))
    return shk_no_memory();
  SHK_TRY(take_part(s->q, s->n, q, "q: expected %g finite numbers"));
  SHK_TRY(take_part(s->p, s->n, p, "p: expected %g finite numbers"));
  if (system->features & SHK_GENERAL_DAE)
    return shk_refused("it is not a mechanical system");
  s->t = t;
  SHK_TRY(shk_exact_multiplier(bound->manifold, s->lambda, t, s->q, s->p));
  SHK_TRY(shk_deficient_find(bound)); /* solve again if no pivot revealed the redundant rows */
  *lambda = shk_vector_of(s->lambda, s->m);
  return shk_ok();
}

bool shk_multiplier_at(const struct shk_context *context, struct shk_vector *lambda,
                       const char *problem, const char *since, const struct shk_vector *q,
                       const struct shk_vector *p, struct shk_message *error)
{
  struct shk_bound bound;
  real t;
  bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK;
  if (ok && !shk_real_parse(&t, since))
    ok = shk_message_set(error, "the time '%s' is not a number", since);
  const real time = ok ? bound.instance.initial_time + t : 0;
  ok = ok && shk_bind_fail(error, solve_multiplier_at(lambda, &bound, time, q, p)) == SHK_OK;
  shk_unbind(&bound);
  return ok;
}
