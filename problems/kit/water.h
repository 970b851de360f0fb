/*
 * Rigid water with three sites, O, H, H. There are two published models. Their parameters are in
 * nm, ps, u, e and kJ/mol unless noted otherwise:
 *
 *   spc-e   H. J. C. Berendsen, J. R. Grigera & T. P. Straatsma, J. Phys. Chem. 91 (1987) 6269:
 *           OH 0.1, angle with cosine -1/3, charges -0.8476 and 0.4238, V = (B/r)¹² - (A/r)⁶ with
 *           A = 0.37122 and B = 0.3428 nm (kJ/mol)^(1/6 and 1/12), between oxygens only
 *   tip3p   W. L. Jorgensen et al., J. Chem. Phys. 79 (1983) 926: OH 0.09572, angle 104.52°,
 *           charges -0.834 and 0.417, V = a/r¹² - c/r⁶ with a = 582000 kcal Å¹²/mol and
 *           c = 595 kcal Å⁶/mol
 *
 * The masses are 15.9994 and 1.008 u, unless mass is moved from the oxygen to the hydrogens
 * (repartitioning: K. A. Feenstra, B. Hess & H. J. C. Berendsen, J. Comput. Chem. 20 (1999) 786).
 */
#ifndef PROBLEMS_KIT_WATER_H
#define PROBLEMS_KIT_WATER_H

#include "problems/kit/sites.h"

/* Options shared by both water problems and embedded in the struct of each problem. */
struct shk_water_options {
  int model;
  real temperature; /* K */
  real hydrogen;    /* mass of a hydrogen, u */
  long seed;
};

struct shk_water {
  real bond, span;     /* OH, HH */
  real mass[3];        /* O, H, H */
  real charge[3];      /* in e */
  real sigma, epsilon; /* parameters of the Lennard-Jones potential between oxygens */
};

extern const struct shk_choice shk_water_models[];

#define SHK_WATER(type, member)                                                                    \
  SHK_CHOICE(type, member.model, "model", shk_water_models, "spc-e",                               \
             "geometry, masses, charges and Lennard-Jones potential"),                             \
      SHK_REAL(type, member.temperature, "temperature", "300", "initial temperature, in K",        \
               .minimum = "0"),                                                                    \
      SHK_REAL(                                                                                    \
          type, member.hydrogen, "hydrogen", "1.008",                                              \
          "mass of a hydrogen atom, in u, below 9; the oxygen loses the difference (hydrogen "     \
          "mass repartitioning, usually 3.024)",                                                   \
          SHK_POSITIVE, .maximum = "9"),                                                           \
      SHK_INTEGER(type, member.seed, "seed", "1",                                                  \
                  "random seed for the orientations and velocities", .minimum = "0")

/* Computes the parameters of the model from the options. */
void shk_water_read(struct shk_water *water, const struct shk_water_options *options);
/* Places molecule `index` in `sites`: sets its masses, its three bonds (starting at 3·index) and
 * its positions, with the oxygen at `at` and a random orientation. */
void shk_water_place(struct shk_sites *sites, const struct shk_water *water, int index,
                     const real *at, uint64_t *seed);

#endif
