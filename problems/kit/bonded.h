/*
 * Angles and torsions of molecules, as geometry (derivatives are along the bonds, and finite
 * wherever the angle itself is defined) and as terms of a potential:
 *
 *     angles      ½ k (θ - θ_0)², or ½ k (cos θ - cos θ_0)² (GROMOS)
 *     periodic    k (1 + cos(n φ - φ_0))
 *     cosines     Σ c_i cos^i(φ - 180°), i = 0 … 5 (Ryckaert & Bellemans)
 *     harmonic    ½ k (φ - φ_0)², the difference taken into [-180°, 180°): improper torsions
 *
 * θ is the angle at b of the points a, b, c. φ is the torsion of a, b, c, d about the line
 * from b to c, 0 where a and d are on one side (cis) and positive clockwise as seen from b
 * (IUPAC). Gradients of φ: A. Blondel & M. Karplus, J. Comput. Chem. 17 (1996) 1132-1141,
 * which do not divide by sin φ.
 */
#ifndef PROBLEMS_KIT_BONDED_H
#define PROBLEMS_KIT_BONDED_H

#include <shakedown/system.h>

/* Positions of 2 or 3 coordinates: of moving points in q, of fixed ones (index -1 - k) in
 * `fixed`. */
struct shk_places {
  int dimension;
  const real *q, *fixed;
};

/* Finds the angle of the points `at` and its derivatives with respect to their positions. Returns 1 if it is not
 * defined: θ for three points in a line or two at one place, φ for three neighbours in a line. */
int shk_angle_at(real *theta, real (*derivatives)[3], const struct shk_places *places,
                 const int *at);
int shk_torsion_at(real *phi, real (*derivatives)[3], const struct shk_places *places,
                   const int *at);

/* Adds the energy to *value and its gradient to `gradient` (NULL: the energy alone). Returns 1 if
 * the angle is not defined. */
int shk_add_angle(real *value, real *gradient, const struct shk_places *places,
                  const struct shk_angle *angle, bool cosine);
int shk_add_torsion(real *value, real *gradient, const struct shk_places *places,
                    const struct shk_torsion *torsion);

/* Returns the square of the oscillation rate of this term, for masses of every coordinate: its
 * largest second derivative times |∇θ|² in the metric of the inverse masses. 0 if the angle is not
 * defined. */
real shk_angle_rate(const struct shk_places *places, const real *mass,
                    const struct shk_angle *angle);
real shk_torsion_rate(const struct shk_places *places, const real *mass,
                      const struct shk_torsion *torsion);

#endif
