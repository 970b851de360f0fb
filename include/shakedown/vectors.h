/* Loops over all coordinates; each entry is summed in a fixed order. */
#ifndef SHAKEDOWN_VECTORS_H
#define SHAKEDOWN_VECTORS_H

#include <shakedown/real.h>

#include <string.h>

/* Stores a number in all of x (n). */
static inline void shk_fill(real *x, real value, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = value;
}
/* Stores to (n) <- from. */
static inline void shk_copy(real *to, const real *from, int n)
{
  memcpy(to, from, (size_t)n * sizeof *to);
}
/* x (n) <- -x */
static inline void shk_negate(real *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = -x[i];
}
/* Returns Σ_j a_j x_(j stride) over n terms. */
static inline real shk_dot_strided(const real *a, const real *x, int stride, int n)
{
  real sum = 0;
  for (int j = 0; j < n; j++)
    sum += a[j] * x[(size_t)j * (size_t)stride];
  return sum;
}
/* Stores out (n) <- factor x; they do not overlap. */
void shk_vector_scaled(real *out, real factor, const real *x, int n);
/* Adds y (n) += factor x; they do not overlap. */
void shk_vector_add(real *y, real factor, const real *x, int n);
/* Adds y (n) <- (y + a_0 b_0) + a_1 b_1 + …, b: `count` columns of n numbers; none overlap. */
void shk_vector_add_columns(real *y, const real *a, const real *b, int count, int n);

#endif
