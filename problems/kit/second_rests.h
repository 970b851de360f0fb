/* The constraint 0 = q_2 in a system with two coordinates. */
#ifndef PROBLEMS_KIT_SECOND_RESTS_H
#define PROBLEMS_KIT_SECOND_RESTS_H

#include <shakedown/parts/problem.h>

static inline int shk_second_rests(const void *context, real *g, real t, const real *q)
{
  g[0] = q[1];
  return 0;
}

static inline int shk_second_rests_jacobian(const void *context, real *values, real t,
                                            const real *q)
{
  values[0] = 0;
  values[1] = 1;
  return 0;
}

static inline int shk_second_rests_curvature(const void *context, real *out, real t, const real *q,
                                             const real *v)
{
  out[0] = 0;
  return 0;
}

/* Initializers of struct shk_system for this constraint. */
#define SHK_SECOND_RESTS                                                                           \
  .constraint = shk_second_rests, .jacobian = shk_second_rests_jacobian,                           \
  .curvature = shk_second_rests_curvature

#endif
