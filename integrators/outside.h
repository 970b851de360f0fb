/*
 * What drivers of outside solvers share: the options of their tolerances, and knowing whether a
 * solver still stands at the state it is asked to go on from.
 */
#ifndef INTEGRATORS_OUTSIDE_H
#define INTEGRATORS_OUTSIDE_H

#include <shakedown/integrator.h>

#include <stdlib.h>
#include <string.h>

#define SHK_OUTSIDE_TOLERANCES                                                                     \
  {.name = "rtol",                                                                                 \
   .kind = SHK_OPTION_REAL,                                                                        \
   .fallback = "0",                                                                                \
   .minimum = "0",                                                                                 \
   .meaning = "relative tolerance of the local error; 0: the cell's tolerance"},                   \
  {                                                                                                \
    .name = "atol", .kind = SHK_OPTION_REAL, .fallback = "0", .minimum = "0",                      \
    .meaning = "absolute tolerance, in the units of q and p; 0: the cell's tolerance"              \
  }

/* The claims of a solver that is driven by a tolerance: it has no step of its own, hence
 * no order, and none of the structure of a map. */
#define SHK_OUTSIDE_CLAIMS                                                                         \
  .order_q = SHK_NO_ORDER, .order_p = SHK_NO_ORDER, .order_lambda = SHK_NO_ORDER,                  \
  .order_mu = SHK_NO_ORDER, .order_lambda_mean = SHK_NO_ORDER, .order_lambda_sum = SHK_NO_ORDER,   \
  .order_lambda_state = SHK_NO_ORDER, .symplectic = SHK_NO, .presymplectic = SHK_NO,               \
  .symmetric = SHK_NO, .keeps_momenta = SHK_NO, .energy_bounded = SHK_NO

/* An option that follows the cell's tolerance where it is zero. */
static inline struct shk_status shk_outside_tolerance(real *out, const struct shk_binding *binding,
                                                      const char *option)
{
  *out = shk_values_real(binding->options, option);
  if (*out == 0)
    *out = binding->tolerance;
  if (!(*out > 0) || !real_isfinite(*out))
    return shk_failure(SHK_BAD_INPUT, "the tolerance is %g and must be positive", (double)*out, 0);
  return shk_ok();
}

/* The state that a solver returned last. */
struct shk_last {
  bool valid, forward; /* forward in time */
  int n;
  real t;
  real *z; /* 2n: q and p */
};

static inline bool shk_last_init(struct shk_last *last, int n)
{
  *last = (struct shk_last){.n = n, .z = calloc(2 * (size_t)n + 1, sizeof(real))};
  return last->z != NULL;
}

static inline void shk_last_set(struct shk_last *last, real t, const real *q, const real *p, real h)
{
  const size_t n = (size_t)last->n;
  *last = (struct shk_last){true, h > 0, last->n, t, last->z};
  memcpy(last->z, q, n * sizeof(real));
  memcpy(last->z + n, p, n * sizeof(real));
}

/* Whether `from` is that state and h goes on in its direction. The driver's time may differ from
 * the solver's by rounding. */
static inline bool shk_last_is(const struct shk_last *last, const struct shk_state *from, real h)
{
  const size_t n = (size_t)last->n;
  return last->valid && last->forward == (h > 0) &&
         real_fabs(from->t - last->t) <= R(1e-12) * real_max(real_fabs(h), real_fabs(last->t)) &&
         memcmp(last->z, from->q, n * sizeof(real)) == 0 &&
         memcmp(last->z + n, from->p, n * sizeof(real)) == 0;
}

#endif
