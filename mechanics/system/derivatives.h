/*
 * Checks of a system's derivatives: H_q, H_p and the Hessian of H, G of g, and the curvature
 * g_qq[v,v] of G, of constraints g(q,p) their gradients, second derivatives and fibre, against
 * central differences of sixth order in the precision of the compilation. Of general
 * differential-algebraic equations: f_x, f_lambda and g_x, at index 3 the curvature as well, and
 * the structure: g does not depend on t and, at index 3, not on p, nor q' on lambda.
 */
#ifndef MECHANICS_SYSTEM_DERIVATIVES_H
#define MECHANICS_SYSTEM_DERIVATIVES_H

#include "foundation/derivative_check.h"
#include <shakedown/system.h>

/* checks (at least 6): one for each derivative the system has, in the order above (the Hessian only
 * of general systems and with constraints g(q,p), G and curvature only where m > 0). *count: how
 * many. q, p (n): the point, for instance a start; more points around it are taken (three, or one
 * where n > 64), so nothing rests on its symmetry; lambda is near (1, …, 1).
 *
 * Up to 64 coordinates every entry is compared; beyond, products with fixed pseudo-random
 * directions. `error` is the largest difference over the largest entry of the derivative (where the
 * derivative vanishes, over the size of the function); `floor` is the spread of two increments plus
 * the round-off of the differences, in the same unit. A check holds if
 * error <= 1000 floor and error <= the square root of epsilon; a floor above that root says that
 * the differences cannot tell (a singularity within reach of the increments).
 *
 * Fails only if allocation fails, or if a function of the system fails or is not finite near the
 * point. The evaluations count in `evaluator`. */
struct shk_status shk_check_derivatives(struct shk_derivative_check *checks, int *count,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p);

#endif
