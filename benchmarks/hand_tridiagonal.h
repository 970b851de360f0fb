/*
 * A tridiagonal solver that eliminates from both ends at once: two divisions overlap at any time,
 * which halves the latency. Values for the next row stay in registers.
 */
#ifndef BENCHMARKS_HAND_TRIDIAGONAL_H
#define BENCHMARKS_HAND_TRIDIAGONAL_H

#include <shakedown/parts/real.h>

/* x (n) <- T⁻¹ x. Row i of T is (before[i], middle[i], after[i]); work (n). */
static inline void hand_tridiagonal(real *restrict x, const real *restrict before,
                                    const real *restrict middle, const real *restrict after,
                                    real *restrict scratch, int n)
{
  const int half = (n - 1) / 2; /* the row where both ends meet */
  int i = 0, j = n - 1;
  /* For the last row of either end: 1/pivot, and the right-hand side over the pivot, kept in x.
   * `work` keeps the entry towards the meeting row over the pivot. */
  real front = 0, back = 0, y = 0, z = 0, to_front = 0, to_back = 0;
  for (; i < half; i++, j--) {
    front = 1 / (middle[i] - before[i] * to_front * front);
    back = 1 / (middle[j] - after[j] * to_back * back);
    y = (x[i] - before[i] * y) * front;
    z = (x[j] - after[j] * z) * back;
    to_front = after[i];
    to_back = before[j];
    scratch[i] = to_front * front;
    scratch[j] = to_back * back;
    x[i] = y;
    x[j] = z;
  }
  for (; j > half; j--) {
    back = 1 / (middle[j] - after[j] * to_back * back);
    z = (x[j] - after[j] * z) * back;
    to_back = before[j];
    scratch[j] = to_back * back;
    x[j] = z;
  }
  /* Entries outside the matrix are multiplied by zero. */
  const real pivot = middle[half] - before[half] * to_front * front - after[half] * to_back * back;
  x[half] = y = z = (x[half] - before[half] * y - after[half] * z) / pivot;
  for (i = half - 1, j = half + 1; i >= 0; i--, j++) {
    x[i] = y = x[i] - scratch[i] * y;
    x[j] = z = x[j] - scratch[j] * z;
  }
  for (; j < n; j++)
    x[j] = z = x[j] - scratch[j] * z;
}

#endif
