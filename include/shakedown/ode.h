/*
 * The index-reduced equations, for methods that eliminate the multiplier:
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda(q,p),
 *
 * where lambda is the exact multiplier, which keeps g'' = 0 along the motion:
 *
 *     N lambda = gamma,   N = G H_pp Gᵀ,   gamma = g_qq[v,v] + G (H_pq v - H_pp H_q),   v = H_p
 *
 * For separable systems N = G M⁻¹ Gᵀ and H_pq = 0. With generalized forces, H_q - Q takes the place
 * of H_q. If g depends on t, 2 g_qt v + g_tt is added to gamma.
 */
#ifndef SHAKEDOWN_ODE_H
#define SHAKEDOWN_ODE_H

#include <shakedown/parts/integrator.h>

struct shk_reduced; /* work space: factorization of the constraint matrix, values of G */
/* Creates the index-reduced equations with the option `linear` of the binding, or with linear=auto
 * if the binding has no such option. */
struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding);
/* Evaluates q' (n), p' (n) and lambda (m) at (q,p), which need not satisfy the constraints. */
struct shk_status shk_reduced_slope(struct shk_reduced *reduced, real *dq, real *dp, real *lambda,
                                    real t, const real *q, const real *p);

#endif
