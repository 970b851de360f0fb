/*
 * The factors of the compositions. The triple jump and Suzuki's fractal, which both have order 4,
 * are given in closed form: g = 1/(2 - 2^(1/3)) on either side of 1 - 2g, and g = 1/(4 - 4^(1/3))
 * twice on either side of 1 - 4g (Creutz & Gocksch 1989; Suzuki 1990; Yoshida 1990; Hairer, Lubich
 * & Wanner, GNI, §II.4, §V.3). The others are in composition_coefficients.h.
 */
#ifndef INTEGRATORS_KIT_COMPOSITION_SCHEMES_H
#define INTEGRATORS_KIT_COMPOSITION_SCHEMES_H

#include "integrators/kit/composition_coefficients.h"

#include <shakedown/parts/descriptor.h>

#define COMPOSITION_FACTORS 35 /* number of factors in the longest scheme */

/* The choices of an option `scheme`. The first two are given in closed form. */
enum { SUZUKI4, TRIPLE_JUMP };
static const struct shk_choice composition_choices[] =
    SHK_LIST({"suzuki4", "order 4, 5 factors, Suzuki 1990"},
             {"triple-jump", "order 4, 3 factors, Creutz & Gocksch 1989, Yoshida 1990"},
             {"yoshida6", "order 6, 7 factors, Yoshida 1990, solution A"},
             {"kahan-li6", "order 6, 9 factors, Kahan & Li 1997"},
             {"suzuki-umeno8", "order 8, 15 factors, Suzuki & Umeno 1993"},
             {"kahan-li8", "order 8, 17 factors, Kahan & Li 1997"},
             {"sofroniou-spaletta10", "order 10, 35 factors, Sofroniou & Spaletta 2005"});

/* The factors of each scheme up to and including the middle one, in the order of the choices. NULL
 * means that the scheme is given in closed form. */
static const struct {
  int order, factors;
  const real *half;
} composition_schemes[] = {{4, 5},
                           {4, 3},
                           {6, 7, yoshida6},
                           {6, 9, kahan_li6},
                           {8, 15, suzuki_umeno8},
                           {8, 17, kahan_li8},
                           {10, 35, sofroniou_spaletta10}};

/* Returns the cube root of x, 1 <= x <= 8, accurate to the last bit or two. Uses the power function
 * and one step of Newton's method. */
static inline real composition_cube_root(real x)
{
  const real y = real_pow(x, (real)1 / 3);
  return y - (y * y * y - x) / (3 * y * y);
}

static inline void composition_fill(real *g, int scheme)
{
  const int count = composition_schemes[scheme].factors;
  for (int i = 0; i < count; i++) {
    const int k = i < count / 2 ? i : count - 1 - i;
    const bool middle = k == count / 2;
    if (scheme == SUZUKI4)
      g[i] = (middle ? -composition_cube_root(4) : 1) / (4 - composition_cube_root(4));
    else if (scheme == TRIPLE_JUMP)
      g[i] = (middle ? -composition_cube_root(2) : 1) / (2 - composition_cube_root(2));
    else
      g[i] = composition_schemes[scheme].half[k];
  }
}

#endif
