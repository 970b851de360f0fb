/* Rows of numbers, one to a lane, as vectors of their first, second, … entries, and back. */
#ifndef MECHANICS_ALGEBRA_TRANSPOSED_H
#define MECHANICS_ALGEBRA_TRANSPOSED_H

#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/simd.h"

/* Of two rows whose numbers differ in the bit `stage`: the upper one with the entries without that bit
 * of both, the lower one with the others. */
#if SHK_PRECISION == 64 && !defined SHK_ONE_LANE
#if defined __AVX512F__
#define UPPER(stage, a, b)                                                                         \
  ((stage) == 1   ? __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)                       \
   : (stage) == 2 ? __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)                        \
                  : __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11))
#define LOWER(stage, a, b)                                                                         \
  ((stage) == 1   ? __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)                       \
   : (stage) == 2 ? __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)                      \
                  : __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15))
#elif defined __AVX__
#define UPPER(stage, a, b)                                                                         \
  ((stage) == 1 ? __builtin_shufflevector(a, b, 0, 4, 2, 6)                                        \
                : __builtin_shufflevector(a, b, 0, 1, 4, 5))
#define LOWER(stage, a, b)                                                                         \
  ((stage) == 1 ? __builtin_shufflevector(a, b, 1, 5, 3, 7)                                        \
                : __builtin_shufflevector(a, b, 2, 3, 6, 7))
#else
#define UPPER(stage, a, b) ((simd){(a)[0], (b)[0]})
#define LOWER(stage, a, b) ((simd){(a)[1], (b)[1]})
#endif
#else
#define UPPER(stage, a, b) (a)
#define LOWER(stage, a, b) (b)
#endif

/* x (SIMD_LANES vectors) <- its transpose */
INLINED void transpose(simd *x)
{
#pragma GCC unroll 3
  for (int stage = 1; stage < SIMD_LANES; stage *= 2)
#pragma GCC unroll 8
    for (int i = 0; i < SIMD_LANES; i++) {
      const simd a = x[i], b = x[(i + stage) % SIMD_LANES];
      if ((i & stage) == 0) {
        x[i] = UPPER(stage, a, b);
        x[i + stage] = LOWER(stage, a, b);
      }
    }
}

/* columns (count) <- rows, each of `count` numbers and of SIMD_LANES at least. */
INLINED void columns_of(simd *columns, const real *const *rows, int count)
{
  for (int i = 0; i < count; i += SIMD_LANES) {
    const int at = i + SIMD_LANES <= count || count < SIMD_LANES ? i : count - SIMD_LANES;
    simd x[SIMD_LANES];
    for (int k = 0; k < SIMD_LANES; k++)
      x[k] = simd_load(rows[k] + at);
    transpose(x);
    for (int k = 0; k < SIMD_LANES && at + k < count; k++)
      columns[at + k] = x[k];
  }
}

/* The reverse. `columns` has SIMD_LANES at least, too. */
INLINED void rows_of(real *const *rows, const simd *columns, int count)
{
  for (int i = 0; i < count; i += SIMD_LANES) {
    const int at = i + SIMD_LANES <= count || count < SIMD_LANES ? i : count - SIMD_LANES;
    simd x[SIMD_LANES];
    for (int k = 0; k < SIMD_LANES; k++)
      x[k] = columns[at + k];
    transpose(x);
    for (int k = 0; k < SIMD_LANES; k++)
      simd_store(rows[k] + at, x[k]);
  }
}

#undef UPPER
#undef LOWER
#endif
