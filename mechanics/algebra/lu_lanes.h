/* LU with partial pivoting of a small matrix in every lane (factor_lu.h, dense.c): each lane exchanges
 * its own rows, and has the numbers that it has alone. */
#ifndef MECHANICS_ALGEBRA_LU_LANES_H
#define MECHANICS_ALGEBRA_LU_LANES_H

#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/simd.h"

INLINED void lanes_exchange(simd_mask mask, simd *a, simd *b)
{
  if (SIMD_LANES == 1 && simd_bits(mask) == 0)
    return;
  const simd kept = *a;
  *a = simd_choose(mask, *b, kept);
  *b = simd_choose(mask, kept, *b);
}

/* swaps[i], i > k: the lanes whose row i has the largest entry of column k. */
INLINED void lanes_find_pivots(simd_mask *swaps, const simd *a, int k, int n)
{
  simd largest = simd_abs(a[k * n + k]);
  for (int i = k + 1; i < n; i++) {
    const simd size = simd_abs(a[i * n + k]);
    swaps[i] = simd_less(largest, size);
    largest = simd_choose(swaps[i], size, largest);
    for (int other = k + 1; other < i; other++)
      swaps[other] &= ~swaps[i];
  }
}

/* a (n x n by rows) <- its factors; swaps (n x n): row k those of its k-th exchange. diagonal (n): of
 * a; scratch: n. The lanes where all pivots are above round-off (shk_lu_is_regular). */
INLINED simd_mask lanes_lu_factor(simd *a, simd_mask *swaps, const simd *diagonal, simd *scratch,
                                  int n)
{
  const real limit = SHK_PIVOT_ROUNDING * REAL_EPSILON;
  simd_mask regular = simd_true();
  for (int k = 0; k < n; k++)
    scratch[k] = diagonal[k];
  for (int k = 0; k < n; k++) {
    lanes_find_pivots(swaps + k * n, a, k, n);
    for (int i = k + 1; i < n; i++) {
      if (simd_bits(swaps[k * n + i]) == 0)
        continue;
      lanes_exchange(swaps[k * n + i], &scratch[k], &scratch[i]);
      for (int j = 0; j < n; j++)
        lanes_exchange(swaps[k * n + i], &a[k * n + j], &a[i * n + j]);
    }
    const simd pivot = a[k * n + k];
    regular &= simd_less(simd_all(0), simd_abs(pivot)) & simd_is_finite(pivot);
    if (n > 1)
      regular &= simd_less(limit * limit * simd_abs(scratch[k] * diagonal[k]), pivot * pivot);
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= pivot;
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
  return regular;
}

/* x (n) <- a⁻¹ x from the factors. */
INLINED void lanes_lu_solve(simd *x, const simd *a, const simd_mask *swaps, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      lanes_exchange(swaps[k * n + i], &x[k], &x[i]);
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}

#endif
