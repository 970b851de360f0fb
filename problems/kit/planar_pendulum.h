/*
 * The exact angle θ of a planar pendulum, θ'' = -w² sin θ. Other problems with the same equation of
 * motion also use it.
 *
 * θ is measured from the stable equilibrium. With s = sin θ/2, c = cos θ/2 and r = θ'/(2w), the
 * energy is k² = s² + r², and
 *
 *     k < 1, libration:  s = k sn(u;k),      c = dn(u;k),      r = k cn(u;k),       u = u₀ + w t
 *     k > 1, rotation:   s = sn(u;1/k),      c = cn(u;1/k),    r = k dn(u;1/k),     u = u₀ + k w t
 *     k = 1, separatrix: both formulas, with tanh and sech
 *
 * (E. T. Whittaker, Analytical Dynamics, 4th ed., §44; NIST DLMF §22.19(i)). The complement of the
 * modulus is computed from 1 - k² = (|c| - |r|)(|c| + |r|), so near the separatrix it is as
 * accurate as the initial state. If the complement is zero to round-off but not exactly, it is
 * unknown on which side of the separatrix the initial state is, and no exact solution is given.
 */
#ifndef PROBLEMS_KIT_PLANAR_PENDULUM_H
#define PROBLEMS_KIT_PLANAR_PENDULUM_H

#include <shakedown/parts/real.h>

enum shk_pendulum_motion { SHK_PENDULUM_FREE, SHK_PENDULUM_LIBRATION, SHK_PENDULUM_ROTATION };

struct shk_planar_pendulum {
  real angle, rate; /* initial values of θ and θ' */
  enum shk_pendulum_motion motion;
  real frequency; /* rate of u: w in libration, k w in rotation, |θ'| in free motion */
  /* modulus of the elliptic functions (k in libration, 1/k in rotation) and its complement */
  real k, k1;
  real amplitude; /* k itself, which is the largest |θ'|/(2w) */
  real sign;      /* sign of θ' in rotation */
  real phase;     /* u₀ */
};

/* Determines the kind of motion and its constants from w (0 for free motion), θ, and θ' in radians
 * per unit of time. Returns false if no exact solution is available. */
bool shk_planar_pendulum_solve(struct shk_planar_pendulum *s, real w, real angle, real rate);
/* Stores sin θ, cos θ and θ' at time t. The motion starts at t = 0. */
void shk_planar_pendulum_at(const struct shk_planar_pendulum *s, real *sine, real *cosine,
                            real *rate, real t);
/* Returns θ itself, which is continuous in time and includes full turns. */
real shk_planar_pendulum_angle(const struct shk_planar_pendulum *s, real t);
/* Finds the times t, 0 < t <= until, at which the pendulum is level (θ = ±pi/2, cos θ = 0). Stores
 * the first `limit` of them in ascending order, and returns the number of all such times, up to
 * 10⁶. Use this function only for solutions found by shk_planar_pendulum_solve. */
int shk_planar_pendulum_level_times(const struct shk_planar_pendulum *s, real *times, int limit,
                                    real until);

/* Returns the properties (enum shk_undecidable) that cannot be decided by a problem with this
 * motion. */
unsigned shk_planar_pendulum_undecidable(const struct shk_planar_pendulum *s);

#endif
