/*
 * Gauss collocation methods. Their coefficients are computed rather than tabulated and, in every
 * precision, are accurate to the last bit or two.
 */
#ifndef MECHANICS_ALGEBRA_GAUSS_H
#define MECHANICS_ALGEBRA_GAUSS_H

#include <shakedown/parts/real.h>

#define SHK_GAUSS_LIMIT 16

/* Computes the s-stage collocation method on [0,1], which has order 2s; s is at most
 * SHK_GAUSS_LIMIT. Stores the nodes c (s, ascending), the weights b (s), and A (s x s, row-major),
 * where a_ij is the integral of the j-th Lagrange polynomial from 0 to c_i. */
void shk_gauss_tableau(real *c, real *b, real *a, int s);

#endif
