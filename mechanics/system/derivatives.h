/*
 * Checks of a system's derivatives against central differences of sixth order in the precision of
 * the compilation. They cover H_q, H_p and the Hessian of H, G of g, and the curvature g_qq[v,v] of
 * G; for constraints g(q,p), the gradients, second derivatives and fibre; for general DAEs, f_x,
 * f_lambda and g_x, at index 3 the curvature, and the structure (g does not depend on t; at index
 * 3, g does not depend on p, nor q' on lambda). Forces and constraints from one call are compared
 * with those from single calls, to 8 epsilon.
 *
 * Up to 64 coordinates, every entry is compared; beyond, products with fixed pseudo-random
 * directions are. `error` is the largest difference divided by the largest entry of the derivative
 * (or by the size of the function, if the derivative vanishes). `floor` is the spread of two
 * increments plus round-off of the differences, in the same unit. A check holds if error <= 1000
 * floor and error <= sqrt(epsilon). A larger floor means that the differences cannot decide,
 * because a singularity is within reach of the increments.
 */
#ifndef MECHANICS_SYSTEM_DERIVATIVES_H
#define MECHANICS_SYSTEM_DERIVATIVES_H

#include "foundation/checks.h"
#include <shakedown/system.h>

/* Stores the checks (room for at least 8) and their number in *count: one for each derivative that
 * the system has, in the order above. They are made at (q,p) and nearby (at three points, or at one
 * if n > 64), with lambda near (1, …, 1). Fails if memory runs out, or if a function of the system
 * fails or is not finite there. */
struct shk_status shk_check_derivatives(struct shk_derivative_check *checks, int *count,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p);

#endif
