/* Vectorized loops over all coordinates; each entry is summed in a fixed order. */
#ifndef SHAKEDOWN_VECTORS_H
#define SHAKEDOWN_VECTORS_H

#include <shakedown/real.h>

/* Stores out (n) <- factor x; they do not overlap. */
void shk_vector_scaled(real *out, real factor, const real *x, int n);
/* Adds y (n) += factor x; they do not overlap. */
void shk_vector_add(real *y, real factor, const real *x, int n);
/* Adds y (n) <- (y + a_0 b_0) + a_1 b_1 + …, b: `count` columns of n numbers; none overlap. */
void shk_vector_add_columns(real *y, const real *a, const real *b, int count, int n);

#endif
