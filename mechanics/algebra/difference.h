/* Computes the largest difference between two vectors. */
#ifndef MECHANICS_ALGEBRA_DIFFERENCE_H
#define MECHANICS_ALGEBRA_DIFFERENCE_H

#include <shakedown/parts/real.h>

/* Returns max |a_i - b_i|, or NaN if any difference is NaN. */
static inline real shk_largest_difference(const real *a, const real *b, int n)
{
  real largest = 0;
  for (int i = 0; i < n && largest == largest; i++) {
    const real off = real_fabs(a[i] - b[i]);
    largest = off <= largest ? largest : off;
  }
  return largest;
}

#endif
