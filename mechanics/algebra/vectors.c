#include "mechanics/algebra/inlined.h"
#include <shakedown/parts/real.h>

void shk_vector_scaled(real *restrict out, real factor, const real *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = factor * x[i];
}

SHK_CLONES void shk_vector_add(real *restrict y, real factor, const real *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    y[i] += factor * x[i];
}

SHK_CLONES void shk_vector_add_columns(real *restrict y, const real *a, const real *restrict b,
                                       int count, int n)
{
  int k = 0;
  for (; k + 4 <= count; k += 4, b += 4 * (size_t)n)
    for (int j = 0; j < n; j++)
      y[j] = (((y[j] + a[k] * b[j]) + a[k + 1] * b[n + j]) + a[k + 2] * b[2 * n + j]) +
             a[k + 3] * b[3 * n + j];
  for (; k < count; k++, b += n)
    for (int j = 0; j < n; j++)
      y[j] += a[k] * b[j];
}
