/*
 * Random numbers that are the same in all precisions except for rounding. SplitMix64 (G. L. Steele,
 * D. Lea & Ch. H. Flood, OOPSLA 2014) generates them, and its upper 53 bits are used as exact
 * fractions. Gaussian numbers are obtained by the Box-Muller transform (Ann. Math. Stat. 29 (1958)
 * 610), which never rejects a number. A random initial state is therefore the same in double and
 * quad up to round-off.
 */
#ifndef MECHANICS_ALGEBRA_RANDOM_H
#define MECHANICS_ALGEBRA_RANDOM_H

#include <shakedown/parts/real.h>

#include <stdint.h>

/* Returns the next 64 bits. Initialize `state` with the seed, which can be any number; every call
 * changes it. */
static inline uint64_t shk_random_next(uint64_t *state)
{
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Returns a uniformly distributed number in (0,1]. The number is a multiple of 2^-53, except in
 * single precision, where it is rounded. */
static inline real shk_random_uniform(uint64_t *state)
{
  return (real)(int64_t)((shk_random_next(state) >> 11) + 1) / (real)(INT64_C(1) << 53);
}

/* Stores two independent Gaussian random numbers with mean 0 and variance 1. */
static inline void shk_random_gaussian_pair(real *out, uint64_t *state)
{
  const real radius = real_sqrt(-2 * real_log(shk_random_uniform(state)));
  const real angle = 2 * REAL_PI * shk_random_uniform(state);
  out[0] = radius * real_cos(angle);
  out[1] = radius * real_sin(angle);
}

#endif
