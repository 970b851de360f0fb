/*
 * The index-reduced equations, for methods that eliminate the multiplier:
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda(q,p),
 *
 * with the lambda that keeps g'' = 0 along the motion, the exact multiplier:
 *
 *     N lambda = gamma,   N = G H_pp Gᵀ,   gamma = g_qq[v,v] + G (H_pq v - H_pp H_q),   v = H_p
 *
 * (N = G M⁻¹ Gᵀ, H_pq = 0 for separable systems; with generalized forces H_q - Q for H_q; where g
 * depends on t, 2 g_qt v + g_tt is added to gamma).
 */
#ifndef SHAKEDOWN_ODE_H
#define SHAKEDOWN_ODE_H

#include <shakedown/parts/integrator.h>

struct shk_reduced; /* work space: factorization of the constraint matrix, values of G */
/* Creates the index-reduced equations, with the option `linear` of the binding; without it as
 * linear=auto. */
struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding);
/* Evaluates q' (n), p' (n) and lambda (m) at (q,p), on the constraints or off them. */
struct shk_status shk_reduced_slope(struct shk_reduced *reduced, real *dq, real *dp, real *lambda,
                                    real t, const real *q, const real *p);

#endif
