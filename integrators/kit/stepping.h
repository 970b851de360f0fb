/*
 * Code shared by methods that choose their own step sizes. It handles tolerances, the time scale,
 * failures that a shorter step may avoid, the state from which a solver continues, and the
 * representation of a state as the vector y = (q,p).
 */
#ifndef INTEGRATORS_KIT_STEPPING_H
#define INTEGRATORS_KIT_STEPPING_H

#include "mechanics/algebra/difference.h"
#include "mechanics/algebra/random.h"
#include "mechanics/system/manifold.h"

#include <shakedown/parts/integrator.h>
#include <shakedown/parts/workspace.h>

/* Stores (q,p) in y (2n). */
static inline void shk_state_pack(real *y, const struct shk_state *state)
{
  shk_copy(y, state->q, state->n);
  shk_copy(y + state->n, state->p, state->n);
}

static inline void shk_state_swap(struct shk_state *a, struct shk_state *b)
{
  const struct shk_state swap = *a;
  *a = *b;
  *b = swap;
}

/* Stores q, p and lambda for a solver that has neither compensated summation nor mu. lambda may
 * have been computed by the formula for the exact multiplier. */
static inline void shk_state_write(struct shk_state *to, const real *q, const real *p,
                                   const real *lambda)
{
  shk_copy(to->q, q, to->n);
  shk_copy(to->p, p, to->n);
  memmove(to->lambda, lambda, (size_t)to->m * sizeof *lambda);
  shk_fill(to->mu, 0, to->m);
  shk_fill(to->q_carry, 0, to->n);
  shk_fill(to->p_carry, 0, to->n);
}

/* The last state that a solver returned, together with the solver's time. */
struct shk_last {
  bool valid, forward; /* forward in time */
  real t;
  real *z; /* 2n: q and p */
};

static inline struct shk_status shk_bind_last(struct shk_last *last,
                                              const struct shk_binding *binding)
{
  return shk_reals(binding->workspace, &last->z, 2 * (size_t)binding->evaluator->system->n);
}

/* Stores q and p of the state after a step of length h, together with the solver's time t. */
static inline void shk_last_set(struct shk_last *last, const struct shk_state *to, real t, real h)
{
  *last = (struct shk_last){true, h > 0, t, last->z};
  shk_state_pack(last->z, to);
}

/* Returns true if `from` is the last state and h has the same sign as the last step. The times of
 * the two states may differ by rounding errors. */
static inline bool shk_last_is(const struct shk_last *last, const struct shk_state *from, real h)
{
  const size_t n = (size_t)from->n;
  return last->valid && last->forward == (h > 0) &&
         real_fabs(from->t - last->t) <= R(1e-12) * real_max(real_fabs(h), real_fabs(last->t)) &&
         memcmp(last->z, from->q, n * sizeof(real)) == 0 &&
         memcmp(last->z + n, from->p, n * sizeof(real)) == 0;
}

/* Returns the problem's time scale, or 1 if it has none. */
static inline real shk_time_scale(const struct shk_binding *binding)
{
  return binding->instance->time_scale > 0 ? binding->instance->time_scale : 1;
}

/* Returns true if a shorter step may succeed after a failure with this code. */
static inline bool shk_may_recover(enum shk_code code)
{
  return code == SHK_TRY_SMALLER || code == SHK_NOT_CONVERGED || code == SHK_SINGULAR ||
         code == SHK_NOT_FINITE;
}

/* Returns SHK_NOT_FINITE unless all numbers are finite. `reason` is a format string whose argument
 * is t. */
static inline struct shk_status shk_check_finite(const real *x, int count, const char *reason,
                                                 real t)
{
  return real_isfinite(real_max_norm(x, count)) ? shk_ok()
                                                : shk_failure(SHK_NOT_FINITE, reason, (double)t, 0);
}

/* Returns SHK_BAD_INPUT unless the tolerance is positive and at least `units` times epsilon. */
static inline struct shk_status shk_check_tolerance(real tolerance, int units)
{
  if (!(tolerance > 0) || !real_isfinite(tolerance))
    return shk_failure(SHK_BAD_INPUT, "the tolerance is %g, but it must be positive",
                       (double)tolerance, 0);
  if (tolerance < units * REAL_EPSILON)
    return shk_failure(SHK_BAD_INPUT,
                       "the tolerance is %g, but it must be at least %g in this precision",
                       (double)tolerance, (double)(units * REAL_EPSILON));
  return shk_ok();
}

#endif
