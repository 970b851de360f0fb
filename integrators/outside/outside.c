/* Shared by drivers of outside solvers. See outside.h. */
#include "integrators/outside/outside.h"

struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  (void)method, (void)to, (void)from, (void)h;
  return shk_failure(SHK_REFUSED, "the solver works in double precision only", 0, 0);
}

struct shk_status shk_outside_tolerances(struct shk_outside *given,
                                         const struct shk_binding *binding)
{
  given->time_scale = shk_time_scale(binding);
  if (given->rtol == 0)
    given->rtol = binding->tolerance;
  if (given->atol == 0)
    given->atol = binding->tolerance;
  SHK_TRY(shk_check_tolerance(given->rtol, 0));
  return shk_check_tolerance(given->atol, 0);
}
