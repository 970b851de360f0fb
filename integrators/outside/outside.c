/* Shared by drivers of outside solvers. See outside.h. */
#include "integrators/outside/outside.h"

#include <string.h>

struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  (void)method, (void)to, (void)from, (void)h;
  return shk_failure(SHK_REFUSED, "the solver works in double precision only", 0, 0);
}

static struct shk_status follow(real *tolerance, const struct shk_binding *binding)
{
  if (*tolerance == 0)
    *tolerance = binding->tolerance;
  if (!(*tolerance > 0) || !real_isfinite(*tolerance))
    return shk_failure(SHK_BAD_INPUT, "the tolerance is %g and must be positive",
                       (double)*tolerance, 0);
  return shk_ok();
}

struct shk_status shk_outside_tolerances(struct shk_outside *given,
                                         const struct shk_binding *binding)
{
  SHK_TRY(follow(&given->rtol, binding));
  return follow(&given->atol, binding);
}

void shk_outside_write(struct shk_state *to, const real *q, const real *p, const real *lambda)
{
  const size_t n = (size_t)to->n * sizeof(real), m = (size_t)to->m * sizeof(real);
  memcpy(to->q, q, n);
  memcpy(to->p, p, n);
  memmove(to->lambda, lambda, m); /* it may have been computed in its place */
  memset(to->mu, 0, m);
  memset(to->q_carry, 0, n);
  memset(to->p_carry, 0, n);
}

struct shk_status shk_bind_last(struct shk_last *last, const struct shk_binding *binding)
{
  last->n = binding->evaluator->system->n;
  return shk_reals(binding->workspace, &last->z, 2 * (size_t)last->n);
}

void shk_last_set(struct shk_last *last, real t, const real *q, const real *p, real h)
{
  const size_t n = (size_t)last->n;
  *last = (struct shk_last){true, h > 0, last->n, t, last->z};
  memcpy(last->z, q, n * sizeof(real));
  memcpy(last->z + n, p, n * sizeof(real));
}

bool shk_last_is(const struct shk_last *last, const struct shk_state *from, real h)
{
  const size_t n = (size_t)last->n;
  return last->valid && last->forward == (h > 0) &&
         real_fabs(from->t - last->t) <= R(1e-12) * real_max(real_fabs(h), real_fabs(last->t)) &&
         memcmp(last->z, from->q, n * sizeof(real)) == 0 &&
         memcmp(last->z + n, from->p, n * sizeof(real)) == 0;
}
