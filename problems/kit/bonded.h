/*
 * Bond angles and torsions of molecules, both as geometric quantities (whose derivatives are finite
 * wherever the angle itself is defined) and as terms of a potential:
 *
 *     angles      ½ k (θ - θ_0)², or ½ k (cos θ - cos θ_0)² (GROMOS)
 *     periodic    k (1 + cos(n φ - φ_0))
 *     cosines     Σ c_i cos^i(φ - 180°), i = 0 … 5 (Ryckaert & Bellemans)
 *     harmonic    ½ k (φ - φ_0)², with the difference reduced to [-180°, 180°), for improper
 *                 torsions
 *
 * θ is the angle at b between the points a, b and c. φ is the torsion angle of a, b, c, d about the
 * line from b to c. It is 0 if a and d are on the same side (cis), and positive if the rotation is
 * clockwise as seen from b (IUPAC). The gradients of φ follow A. Blondel & M. Karplus, J. Comput.
 * Chem. 17 (1996) 1132-1141, whose formulas do not divide by sin φ.
 */
#ifndef PROBLEMS_KIT_BONDED_H
#define PROBLEMS_KIT_BONDED_H

#include <shakedown/system.h>

/* Positions of points, with 2 or 3 coordinates each. Moving points are stored in q, and fixed
 * points (index -1 - k) in `fixed`. */
struct shk_places {
  int dimension;
  const real *q, *fixed;
};

/* Computes the angle formed by the points `at`, and the angle's derivatives with respect to the
 * positions of the points. Returns 1 if the angle is undefined: θ is undefined if the three points
 * are collinear or two of them coincide, and φ if three consecutive points are collinear. */
int shk_angle_at(real *theta, real (*derivatives)[3], const struct shk_places *places,
                 const int *at);
int shk_torsion_at(real *phi, real (*derivatives)[3], const struct shk_places *places,
                   const int *at);

/* Adds the energy to *value and its gradient to `gradient`, which may be NULL if only the energy is
 * needed. Returns 1 if the angle is undefined. */
int shk_add_angle(real *value, real *gradient, const struct shk_places *places,
                  const struct shk_angle *angle, bool cosine);
int shk_add_torsion(real *value, real *gradient, const struct shk_places *places,
                    const struct shk_torsion *torsion);

/* Returns the square of the oscillation rate caused by this term, given the mass of every
 * coordinate. This is the term's largest second derivative times |∇θ|² in the inverse mass metric,
 * or 0 if the angle is undefined. */
real shk_angle_rate(const struct shk_places *places, const real *mass,
                    const struct shk_angle *angle);
real shk_torsion_rate(const struct shk_places *places, const real *mass,
                      const struct shk_torsion *torsion);

#endif
