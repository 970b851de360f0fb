/*
 * Rows of nine numbers, three points in space, as nine vectors, a row to a lane, and back.
 *
 * SIMD_LANES rows one behind the other in memory are nine vectors V, too, of which column c has in
 * lane l the entry (l + c) mod L of V_v, v = u (l + c mod L - c) mod 9, u = 8/L, L = SIMD_LANES. So
 * rotating the entries of every vector to their place is shifting entry k of all by u k vectors
 * (cyclically), a power of two after the other, and turning each vector. For four lanes and eight.
 */
#ifndef MECHANICS_SOLVERS_RODS_NINES_H
#define MECHANICS_SOLVERS_RODS_NINES_H

#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/simd.h"

/* Entries whose number has the bit `stage` are b's; turned: entry (k + c) mod SIMD_LANES as entry k. */
#if SHK_PRECISION == 64
#if defined __AVX512F__
#define NINES_CHOOSE(stage, a, b)                                                                  \
  ((stage) == 1   ? __builtin_shufflevector(a, b, 0, 9, 2, 11, 4, 13, 6, 15)                       \
   : (stage) == 2 ? __builtin_shufflevector(a, b, 0, 1, 10, 11, 4, 5, 14, 15)                      \
                  : __builtin_shufflevector(a, b, 0, 1, 2, 3, 12, 13, 14, 15))
#define NINES_TURN(c, x)                                                                           \
  ((c) % 8 == 0   ? (x)                                                                            \
   : (c) % 8 == 1 ? __builtin_shufflevector(x, x, 1, 2, 3, 4, 5, 6, 7, 0)                          \
   : (c) % 8 == 2 ? __builtin_shufflevector(x, x, 2, 3, 4, 5, 6, 7, 0, 1)                          \
   : (c) % 8 == 3 ? __builtin_shufflevector(x, x, 3, 4, 5, 6, 7, 0, 1, 2)                          \
   : (c) % 8 == 4 ? __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3)                          \
   : (c) % 8 == 5 ? __builtin_shufflevector(x, x, 5, 6, 7, 0, 1, 2, 3, 4)                          \
   : (c) % 8 == 6 ? __builtin_shufflevector(x, x, 6, 7, 0, 1, 2, 3, 4, 5)                          \
                  : __builtin_shufflevector(x, x, 7, 0, 1, 2, 3, 4, 5, 6))
#elif defined __AVX__
#define NINES_CHOOSE(stage, a, b)                                                                  \
  ((stage) == 1 ? __builtin_shufflevector(a, b, 0, 5, 2, 7)                                        \
                : __builtin_shufflevector(a, b, 0, 1, 6, 7))
#define NINES_TURN(c, x)                                                                           \
  ((c) % 4 == 0   ? (x)                                                                            \
   : (c) % 4 == 1 ? __builtin_shufflevector(x, x, 1, 2, 3, 0)                                      \
   : (c) % 4 == 2 ? __builtin_shufflevector(x, x, 2, 3, 0, 1)                                      \
                  : __builtin_shufflevector(x, x, 3, 0, 1, 2))
#endif
#endif
#ifndef NINES_TURN /* gathering does the same for less */
#define NINES_CHOOSE(stage, a, b) (a)
#define NINES_TURN(c, x) (x)
#endif

enum { NINES_SHIFT = 8 / SIMD_LANES }; /* u */

/* columns (9) <- x (SIMD_LANES rows of 9) */
INLINED void nines_load(simd *columns, const real *x)
{
  simd from[9], to[9];
#pragma GCC unroll 9
  for (int i = 0; i < 9; i++)
    from[i] = simd_load(x + i * SIMD_LANES);
#pragma GCC unroll 3
  for (int stage = 1; stage < SIMD_LANES; stage *= 2) {
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++)
      to[i] = NINES_CHOOSE(stage, from[i], from[(i + NINES_SHIFT * stage) % 9]);
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++)
      from[i] = to[i];
  }
#pragma GCC unroll 9
  for (int c = 0; c < 9; c++)
    columns[c] = NINES_TURN(c, from[(9 * 8 - NINES_SHIFT * c) % 9]);
}

/* The reverse. */
INLINED void nines_store(real *x, const simd *columns)
{
  simd from[9], to[9];
#pragma GCC unroll 9
  for (int c = 0; c < 9; c++)
    from[(9 * 8 - NINES_SHIFT * c) % 9] = NINES_TURN(9 * SIMD_LANES - c, columns[c]);
#pragma GCC unroll 3
  for (int stage = 1; stage < SIMD_LANES; stage *= 2) {
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++)
      to[i] = NINES_CHOOSE(stage, from[i], from[(i + 9 * 8 - NINES_SHIFT * stage) % 9]);
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++)
      from[i] = to[i];
  }
#pragma GCC unroll 9
  for (int i = 0; i < 9; i++)
    simd_store(x + i * SIMD_LANES, from[i]);
}

#endif
