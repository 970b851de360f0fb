/* Random indices, numbers, directions and vectors that are the same in all precisions, up to
 * round-off. */
#ifndef PROBLEMS_KIT_DRAW_H
#define PROBLEMS_KIT_DRAW_H

#include "mechanics/algebra/random.h"

/* Returns a random index below count. */
static inline int shk_draw_index(uint64_t *random, int count)
{
  return (int)(shk_random_next(random) % (uint64_t)count);
}

static inline real shk_draw_between(uint64_t *random, real least, real most)
{
  return least + (most - least) * shk_random_uniform(random);
}

/* Stores a unit vector (3 components) that is uniformly distributed on the circle (if `dimension`
 * is 2) or the sphere. */
static inline void shk_draw_direction(real *out, uint64_t *random, int dimension)
{
  const real angle = 2 * REAL_PI * shk_random_uniform(random);
  out[0] = real_cos(angle);
  out[1] = real_sin(angle);
  out[2] = 0;
  if (dimension == 3) { /* on a sphere, the height is uniformly distributed (Archimedes) */
    const real height = 2 * shk_random_uniform(random) - 1;
    const real across = real_sqrt((1 - height) * (1 + height));
    out[0] *= across;
    out[1] *= across;
    out[2] = height;
  }
}

/* Stores n independent Gaussian numbers with mean 0 and variance 1. */
static inline void shk_draw_gaussian(real *out, uint64_t *random, int n)
{
  for (int i = 0; i < n; i += 2) {
    real pair[2];
    shk_random_gaussian_pair(pair, random);
    for (int j = i; j < i + 2 && j < n; j++)
      out[j] = pair[j - i];
  }
}

#endif
