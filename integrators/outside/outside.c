/* Code shared by the drivers for external solvers. See outside.h. */
#include "integrators/outside/outside.h"

struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  return shk_refused("the solver works in double precision only");
}

struct shk_status shk_outside_bind(struct shk_outside *given, const struct shk_binding *binding,
                                   double unknowns, int most)
{
  if (unknowns > most)
    return shk_failure(SHK_REFUSED,
                       "dense matrices allow at most %g unknowns, but the problem has %g", most,
                       unknowns);
  given->time_scale = shk_time_scale(binding);
  if (given->rtol == 0)
    given->rtol = binding->tolerance;
  if (given->atol == 0)
    given->atol = binding->tolerance;
  SHK_TRY(shk_check_tolerance(given->rtol, 0));
  SHK_TRY(shk_check_tolerance(given->atol, 0));
  return shk_bind_last(&given->last, binding);
}

bool shk_outside_restarts(struct shk_outside *given, const struct shk_state *from, real h)
{
  const bool restarts = !shk_last_is(&given->last, from, h);
  given->last.valid = false;
  return restarts;
}

void shk_outside_arrive(struct shk_outside *given, struct shk_state *to, const real *q,
                        const real *p, const real *lambda, real t, real h)
{
  shk_state_write(to, q, p, lambda);
  shk_last_set(&given->last, to, t, h);
}
