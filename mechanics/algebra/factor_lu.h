/* LU with partial pivoting in place, see shk_lu_factor: compiled into what calls it, for few rows as
 * they are and for many in vectors (kernels.h). */
#ifndef MECHANICS_ALGEBRA_FACTOR_LU_H
#define MECHANICS_ALGEBRA_FACTOR_LU_H

#include <shakedown/real.h>

#include <stdbool.h>
#include <stddef.h>

/* row <- row - factor top */
static inline void subtract_row(real *restrict row, real factor, const real *restrict top, int n)
{
  for (int j = 0; j < n; j++)
    row[j] -= factor * top[j];
}

static inline bool factor_lu(real *a, int *pivots, int n)
{
  for (int k = 0; k < n; k++) {
    real *const top = a + (size_t)k * n;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (real_fabs(a[(size_t)i * n + k]) > real_fabs(a[(size_t)best * n + k]))
        best = i;
    pivots[k] = best;
    const real pivot = a[(size_t)best * n + k];
    if (pivot == 0 || !real_isfinite(pivot))
      return false;
    for (int j = 0; best != k && j < n; j++) {
      const real swap = top[j];
      top[j] = a[(size_t)best * n + j];
      a[(size_t)best * n + j] = swap;
    }
    for (int i = k + 1; i < n; i++) {
      real *const row = a + (size_t)i * n;
      row[k] /= pivot;
      subtract_row(row + k + 1, row[k], top + k + 1, n - k - 1);
    }
  }
  return true;
}

#endif
