/*
 * The angle of a planar pendulum, θ'' = -w² sin θ, exactly. Other problems with this
 * equation of motion use it too.
 *
 * θ from the stable equilibrium. With s = sin θ/2, c = cos θ/2, r = θ'/(2w), the
 * energy is k² = s² + r², and
 *
 *     k < 1, libration:  s = k sn(u;k),      c = dn(u;k),      r = k cn(u;k),       u = u₀ + w t
 *     k > 1, rotation:   s = sn(u;1/k),      c = cn(u;1/k),    r = k dn(u;1/k),     u = u₀ + k w t
 *     k = 1, separatrix: both, with tanh and sech
 *
 * (E. T. Whittaker, Analytical Dynamics, 4th ed., §44; NIST DLMF §22.19(i)). The complement of the
 * modulus comes from 1 - k² = (|c| - |r|)(|c| + |r|), so near the separatrix it has the accuracy of
 * the start. If it is zero to round-off but not exactly, the side of the separatrix is unknown, and
 * no exact solution is given.
 */
#ifndef PROBLEMS_KIT_PLANAR_PENDULUM_H
#define PROBLEMS_KIT_PLANAR_PENDULUM_H

#include <shakedown/parts/real.h>

enum shk_pendulum_motion { SHK_PENDULUM_FREE, SHK_PENDULUM_LIBRATION, SHK_PENDULUM_ROTATION };

struct shk_planar_pendulum {
  real angle, rate; /* θ and θ' at the start */
  enum shk_pendulum_motion motion;
  real frequency; /* rate of u: w in libration, k w in rotation; free: |θ'| */
  real k, k1;     /* modulus of the elliptic functions (libration k, rotation 1/k), complement */
  real amplitude; /* k itself: the largest |θ'|/(2w) */
  real sign;      /* of θ' in rotation */
  real phase;     /* u₀ */
};

/* Finds the kind of motion and its constants from w (0: free), θ and θ' in radians per unit of
 * time. False if no solution can be given. */
bool shk_planar_pendulum_solve(struct shk_planar_pendulum *s, real w, real angle, real rate);
/* Stores sin θ, cos θ and θ' at time t after the start. */
void shk_planar_pendulum_at(const struct shk_planar_pendulum *s, real *sine, real *cosine,
                            real *rate, real t);
/* Returns θ itself, continuous from the start, turns included. */
real shk_planar_pendulum_angle(const struct shk_planar_pendulum *s, real t);
/* Stores the first `limit` times after the start and up to `until`, ascending, with θ = ±pi/2, cos
 * θ = 0 (level). Returns the number of all such times, at most 10⁶. For solutions found by
 * shk_planar_pendulum_solve only. */
int shk_planar_pendulum_level_times(const struct shk_planar_pendulum *s, real *times, int limit,
                                    real until);

/* Returns the undecidable properties of a problem that moves like this (enum shk_undecidable). */
unsigned shk_planar_pendulum_undecidable(const struct shk_planar_pendulum *s);

#endif
