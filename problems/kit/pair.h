/*
 * Pair potentials r^-α whose force is switched off between r1 and r_c, as in GROMACS' "force
 * switch":
 *
 *     F(r) = α/r^(α+1) + A (r - r1)² + B (r - r1)³       (the polynomial for r > r1 only)
 *     V(r) = 1/r^α - A/3 (r - r1)³ - B/4 (r - r1)⁴ - C
 *     A = -α ((α+4) r_c - (α+1) r1) / (r_c^(α+2) (r_c - r1)²)
 *     B =  α ((α+3) r_c - (α+1) r1) / (r_c^(α+2) (r_c - r1)³)
 *
 * Both are 0 beyond r_c. F and F' vanish at r_c and are continuous at r1, so V has a continuous
 * second derivative. The third derivative of V jumps at r1 and r_c, which affects methods of order
 * above 2. The constant C makes V(r_c) = 0. Source: D. van der Spoel & P. J. van Maaren, J. Chem.
 * Theory Comput. 2 (2006) 1-11.
 */
#ifndef PROBLEMS_KIT_PAIR_H
#define PROBLEMS_KIT_PAIR_H

#include <shakedown/parts/real.h>

/* A, B and C for one power, or their sums for a sum of powers. */
struct shk_switched {
  real a, b, c;
};

static inline real shk_inverse_power(real r, int alpha)
{
  real product = 1;
  for (int i = 0; i < alpha; i++)
    product /= r;
  return product;
}

static inline struct shk_switched shk_switch(int alpha, real from, real cutoff)
{
  const real x = cutoff - from, scale = alpha * shk_inverse_power(cutoff, alpha + 2) / (x * x);
  const real a = -scale * ((alpha + 4) * cutoff - (alpha + 1) * from);
  const real b = scale * ((alpha + 3) * cutoff - (alpha + 1) * from) / x;
  const real c = shk_inverse_power(cutoff, alpha) - x * x * x * (a / 3 + b * x / 4);
  return (struct shk_switched){a, b, c};
}

/* Compute the switching terms of the potential and of the force for r < r_c. */
static inline real shk_switched_potential(const struct shk_switched *s, real r, real from)
{
  const real x = r - from;
  return x > 0 ? -s->c - x * x * x * (s->a / 3 + s->b * x / 4) : -s->c;
}

static inline real shk_switched_force(const struct shk_switched *s, real r, real from)
{
  const real x = r - from;
  return x > 0 ? x * x * (s->a + s->b * x) : 0;
}

#endif
