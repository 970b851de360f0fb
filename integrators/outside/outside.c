/* What drivers of outside solvers share. See outside.h. */
#include "integrators/outside/outside.h"

#include <stdlib.h>
#include <string.h>

static struct shk_status refused(void)
{
  return shk_failure(SHK_REFUSED, "the solver works in double precision only", 0, 0);
}

struct shk_status shk_outside_no_create(void **method, const struct shk_binding *binding)
{
  (void)binding;
  *method = NULL;
  return refused();
}

struct shk_status shk_outside_no_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  (void)method, (void)to, (void)from, (void)h;
  return refused();
}

void shk_outside_no_destroy(void *method)
{
  (void)method;
}

struct shk_status shk_outside_tolerance(real *out, const struct shk_binding *binding,
                                        const char *option)
{
  *out = shk_values_real(binding->options, option);
  if (*out == 0)
    *out = binding->tolerance;
  if (!(*out > 0) || !real_isfinite(*out))
    return shk_failure(SHK_BAD_INPUT, "the tolerance is %g and must be positive", (double)*out, 0);
  return shk_ok();
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

bool shk_last_init(struct shk_last *last, int n)
{
  *last = (struct shk_last){.n = n, .z = calloc(2 * (size_t)n + 1, sizeof(real))};
  return last->z != NULL;
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
