/* Operations on vectors. Sums are formed in the order of indices, so that bits are reproducible. */
#ifndef SHAKEDOWN_VECTORS_H
#define SHAKEDOWN_VECTORS_H

#include <shakedown/real.h>

#include <string.h>

/* Sets all n entries of x to a number. */
static inline void shk_fill(real *x, real value, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = value;
}
/* Copies n numbers; `to` and `from` must not overlap. */
static inline void shk_copy(real *to, const real *from, int n)
{
  memcpy(to, from, (size_t)n * sizeof *to);
}
/* Changes the sign of x (n) in place. */
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
/* Stores factor x in out (n); x and out must not overlap. */
void shk_vector_scaled(real *out, real factor, const real *x, int n);
/* Adds factor x to y (n); x and y must not overlap. */
void shk_vector_add(real *y, real factor, const real *x, int n);
/* Adds a_0 b_0, a_1 b_1, … to y (n) in turn; b: `count` columns of n numbers. No overlap with y. */
void shk_vector_add_columns(real *y, const real *a, const real *b, int count, int n);

#endif
