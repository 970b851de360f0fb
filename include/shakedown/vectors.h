/* Loops over all coordinates, vectorized; none of them sums. */
#ifndef SHAKEDOWN_VECTORS_H
#define SHAKEDOWN_VECTORS_H

#include <shakedown/real.h>

#define shk_vector_scaled SHK_NAME(shk_vector_scaled)
#define shk_vector_add SHK_NAME(shk_vector_add)
/* out (n) <- factor x; they do not overlap. */
void shk_vector_scaled(real *out, real factor, const real *x, int n);
/* y (n) += factor x; they do not overlap. */
void shk_vector_add(real *y, real factor, const real *x, int n);

#endif
