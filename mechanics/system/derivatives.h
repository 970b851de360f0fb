/*
 * Checks a system's derivatives against sixth-order central differences in the precision of `real`.
 * The checks cover the first and second derivatives of H, the Jacobian G of g, and the curvature
 * g_qq[v,v]. For constraints g(q,p), they cover the gradients, the second derivatives and the
 * fibre. For general DAEs, they cover f_x, f_lambda and g_x, the curvature if the index is 3, and
 * the structure (g does not depend on t; at index 3, g does not depend on p, and q' does not depend
 * on lambda). Forces and constraints that are computed in one call must agree with those from
 * separate calls to within 8 epsilon.
 *
 * With up to 64 coordinates, every entry is compared. With more coordinates, products with fixed
 * pseudo-random directions are compared. `error` is the largest difference divided by the largest
 * entry of the derivative, or by the size of the function if the derivative vanishes. `floor` is
 * the difference between the results for two increments plus the round-off of the differences, in
 * the same unit. A check holds if error <= 1000 floor and error <= sqrt(epsilon). A larger floor
 * means that the differences are inconclusive, because a singularity is within reach of the
 * increments.
 */
#ifndef MECHANICS_SYSTEM_DERIVATIVES_H
#define MECHANICS_SYSTEM_DERIVATIVES_H

#include "foundation/checks.h"
#include <shakedown/system.h>

/* Performs one check for each derivative that the system provides, and stores the results in the
 * order above. There must be room for at least 8 checks; *count receives their number. The checks
 * are made at (q,p) and at nearby points (at three points, or at one if n > 64), with lambda near
 * (1, …, 1). Fails if memory runs out, or if one of the system's functions fails or is not finite
 * there. */
struct shk_status shk_check_derivatives(struct shk_derivative_check *checks, int *count,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p);

#endif
