/*
 * Elliptic integrals and Jacobi's elliptic functions in the precision of the build.
 *
 * The modulus is given together with its complement, k² + k1² = 1, because near k = 1 the
 * complement retains the digits that 1 - k² would lose.
 */
#ifndef PROBLEMS_KIT_ELLIPTIC_H
#define PROBLEMS_KIT_ELLIPTIC_H

#include <shakedown/parts/real.h>

/* The complete integral K(k) = pi / (2 agm(1, k1)), 0 < k1 <= 1. It is infinite for k1 = 0. */
real shk_elliptic_complete(real k1);

/* Carlson's R_F(x,y,z), for arguments >= 0 of which at most one is zero (Numer. Algorithms 10
 * (1995) 13). */
real shk_carlson_rf(real x, real y, real z);

/* Carlson's R_J(x,y,z,p), for x, y, z >= 0 of which at most one is zero, and p > 0 (ibid.). */
real shk_carlson_rj(real x, real y, real z, real p);

/* Legendre's incomplete integral F(phi,k) for -pi <= phi <= pi, computed from the sine and cosine
 * of phi and from delta2 = 1 - k² sin² phi, which the caller may be able to compute without
 * cancellation. k1 is as above and must be positive unless cosine >= 0. */
real shk_elliptic_incomplete(real sine, real cosine, real delta2, real k1);

/* sn, cn and dn of u for the modulus whose complement is k1, where 0 <= k1 <= 1. k1 = 0 gives tanh
 * and sech. */
void shk_jacobi(real *sn, real *cn, real *dn, real u, real k1);

/* The integral of the third kind as a function of u,
 *
 *     integral from 0 to u of dv / (1 + nu sn² v),   nu > -1,
 *
 * that is, Legendre's Pi(phi, -nu, k) at the amplitude phi of u, for any u and 0 <= k1 <= 1. */
real shk_elliptic_third(real u, real nu, real k1);

#endif
