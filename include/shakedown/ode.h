/*
 * The index-reduced equations, for methods that eliminate the multiplier:
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda(q,p),
 *
 * where lambda is the exact multiplier, for which g'' = 0 along the motion:
 *
 *     N lambda = gamma,   N = G H_pp Gᵀ,   gamma = g_qq[v,v] + G (H_pq v - H_pp H_q),   v = H_p
 *
 * For separable systems, N = G M⁻¹ Gᵀ and H_pq = 0. With generalized forces, H_q is replaced by H_q
 * - Q. If g depends on t, gamma also contains 2 g_qt v + g_tt.
 */
#ifndef SHAKEDOWN_ODE_H
#define SHAKEDOWN_ODE_H

#include <shakedown/parts/integrator.h>

/* the factorization of the constraint matrix, and work space for the entries of G */
struct shk_reduced;
/* Creates the index-reduced equations with the binding's `linear` option, or with linear=auto if it
 * has no such option. */
struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding);
/* Evaluates q' (n), p' (n) and lambda (m) at (q,p), which need not satisfy the constraints. */
struct shk_status shk_reduced_slope(struct shk_reduced *reduced, real *dq, real *dp, real *lambda,
                                    real t, const real *q, const real *p);

#endif
