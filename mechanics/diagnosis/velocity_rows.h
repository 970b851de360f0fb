/*
 * Finds the rows of constraints g(q,p) that are affine in the velocity v = H_p:
 *
 *     g_i(q,p,t) = A_i(q,t) v + a_i(q,t)
 *
 * A velocity constraint A v + a = 0, such as that of a wheel or a blade, has the force Aᵀμ. If it
 * is written as g(q,p) = 0, it describes a different system, because the multiplier then also acts
 * on q' (system.h).
 */
#ifndef MECHANICS_DIAGNOSIS_VELOCITY_ROWS_H
#define MECHANICS_DIAGNOSIS_VELOCITY_ROWS_H

#include <shakedown/solve.h>

/* Sets found[i] (m) to true for each row that, at q, depends on the velocity and is affine in it.
 * The momenta at which g is evaluated have the same magnitude as p. Allocates memory in the
 * evaluator's workspace. */
struct shk_status shk_velocity_rows_find(bool *found, struct shk_evaluator *evaluator, real t,
                                         const real *q, const real *p);

#endif
