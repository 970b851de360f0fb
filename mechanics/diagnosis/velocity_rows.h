/*
 * Rows of constraints g(q,p) that are affine in the velocity v = H_p:
 *
 *     g_i(q,p,t) = A_i(q,t) v + a_i(q,t)
 *
 * A velocity constraint A v + a = 0, as of a wheel or a blade, has the force Aᵀμ. Written as g(q,p) = 0
 * it is another system, since that multiplier also acts on q' (system.h).
 */
#ifndef MECHANICS_DIAGNOSIS_VELOCITY_ROWS_H
#define MECHANICS_DIAGNOSIS_VELOCITY_ROWS_H

#include <shakedown/solve.h>

/* Sets found[i] (m) for the rows that are affine in the velocity and depend on it, at q. The momenta
 * at which g is evaluated are of the size of p. Allocates in the evaluator's workspace. */
struct shk_status shk_velocity_rows_find(bool *found, struct shk_evaluator *evaluator, real t,
                                         const real *q, const real *p);

#endif
