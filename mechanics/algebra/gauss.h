/*
 * Gauss collocation methods. The coefficients are not tabulated but computed, to the last bit or
 * two of the precision.
 */
#ifndef MECHANICS_ALGEBRA_GAUSS_H
#define MECHANICS_ALGEBRA_GAUSS_H

#include <shakedown/parts/real.h>

#define SHK_GAUSS_LIMIT 16

/* Computes the collocation method of s <= SHK_GAUSS_LIMIT stages on [0,1], whose order is 2s: nodes
 * c (s, ascending), weights b (s), and A (s x s by rows), where a_ij = ∫_0^{c_i} of the j-th
 * Lagrange polynomial. */
void shk_gauss_tableau(real *c, real *b, real *a, int s);

#endif
