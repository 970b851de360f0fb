#include <shakedown/vectors.h>

void shk_vector_scaled(real *restrict out, real factor, const real *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = factor * x[i];
}

void shk_vector_add(real *restrict y, real factor, const real *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    y[i] += factor * x[i];
}
