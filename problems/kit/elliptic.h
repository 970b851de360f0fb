/*
 * Elliptic integrals and Jacobi's elliptic functions in the precision of the compilation.
 *
 * The modulus is given with its complement, k² + k1² = 1: near k = 1 the complement has the
 * digits that 1 - k² would lose.
 */
#ifndef PROBLEMS_KIT_ELLIPTIC_H
#define PROBLEMS_KIT_ELLIPTIC_H

#include <shakedown/parts/real.h>

/* The complete integral K(k) = pi / (2 agm(1, k1)), 0 < k1 <= 1 (k1 = 0: infinite). */
real shk_elliptic_complete(real k1);

/* Carlson's R_F(x,y,z), arguments >= 0 and at most one of them zero (Numer. Algorithms 10 (1995)
 * 13). */
real shk_carlson_rf(real x, real y, real z);

/* Carlson's R_J(x,y,z,p), x, y, z >= 0 and at most one of them zero, p > 0 (ibid.). */
real shk_carlson_rj(real x, real y, real z, real p);

/* Legendre's incomplete integral F(phi,k) for -pi <= phi <= pi from sine and cosine of phi and
 * delta2 = 1 - k² sin² phi, which the caller may know without cancellation; k1 as above, positive
 * unless cosine >= 0. */
real shk_elliptic_incomplete(real sine, real cosine, real delta2, real k1);

/* sn, cn, dn of u for the modulus with complement k1, 0 <= k1 <= 1; k1 = 0 gives tanh and sech. */
void shk_jacobi(real *sn, real *cn, real *dn, real u, real k1);

/* The integral of the third kind as a function of u,
 *
 *     integral from 0 to u of dv / (1 + nu sn² v),   nu > -1,
 *
 * that is Legendre's Pi(phi, -nu, k) at the amplitude phi of u; any u, 0 <= k1 <= 1. */
real shk_elliptic_third(real u, real nu, real k1);

#endif
