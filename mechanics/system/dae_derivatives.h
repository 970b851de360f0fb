/* Checks of the derivatives of a general differential-algebraic equation. */
#ifndef MECHANICS_SYSTEM_DAE_DERIVATIVES_H
#define MECHANICS_SYSTEM_DAE_DERIVATIVES_H

#include "foundation/derivative_check.h"
#include <shakedown/system.h>

/* A difference and its floor, both relative, as a check, which holds up to `most`. */
static inline struct shk_derivative_check shk_derivative_result(const char *name, real error,
                                                                real floor, real most)
{
  return (struct shk_derivative_check){
      .name = name, .error = (double)error, .floor = (double)floor, .holds = error <= most};
}

/* checks (at least 5): f_x, f_lambda and g_x against central differences of sixth order, at index 3
 * the curvature g_qq[v,v] as well, and the structure: g does not depend on t and, at index 3, not
 * on p, nor q' on lambda. Errors, floors and the criterion are as in derivatives.h; at the point
 * and three around it, with lambda around (1, …, 1). Every entry is compared.
 *
 * Fails only if allocation fails, or if a function of the system fails or is not finite near the
 * point. */
struct shk_status shk_check_dae_derivatives(struct shk_derivative_check *checks, int *count,
                                            struct shk_evaluator *evaluator, real t, const real *q,
                                            const real *p);

#endif
