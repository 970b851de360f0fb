/*
 * A system of particles read from a file. This is the context shared by the reader (particles.c),
 * the forces (particles_forces.c) and the invariants (particles_kept.c).
 */
#ifndef PROBLEMS_KIT_PARTICLES_H
#define PROBLEMS_KIT_PARTICLES_H

#include "problems/kit/bonded.h"
#include "problems/kit/sites.h"

/* A conserved quantity: momentum along a coordinate, or angular momentum about an axis. */
struct shk_kept {
  bool turning;
  int coordinate;
  real axis[3];
};

enum { SHK_KEPT = 6 };

struct shk_particles {
  /* must come first because the callbacks of sites.h use it as their context */
  struct shk_sites sites;
  bool project; /* whether to project an inconsistent initial state */
  bool falls;   /* there is gravity */
  real sway;    /* gravity is multiplied by 1 + ½ sin(t/sway), or is constant if sway is 0 */
  real gravity[3];
  int spring_count, quartic_count, fixed_count, pair_count, angle_count, cosine_count,
      torsion_count;
  int kept_count;
  struct shk_spring *springs, *quartics; /* quartic springs have energy k (|d|² - l²)²/(8l²) */
  /* charges = c e_a e_b, lj12 = 4 epsilon sigma¹², lj6 = 4 epsilon sigma⁶ */
  struct shk_pair *pairs;
  struct shk_angle *angles; /* the last cosine_count angles are harmonic in the cosine */
  struct shk_torsion *torsions;
  struct shk_terms terms; /* terms of the potential */
  real *fixed;            /* positions of the fixed points */
  struct shk_kept kept[SHK_KEPT];
  const char *names[SHK_KEPT];
  bool about_centre; /* whether angular momenta are about the centre of mass instead of `centre` */
  real centre[3];
};

/* Stores the vector from end a to end b, and returns its squared length. */
static inline real shk_particles_between(real *d, const struct shk_particles *s, int a, int b,
                                         const real *q)
{
  const int dimension = s->sites.dimension;
  const real *x = a >= 0 ? q + a * dimension : s->fixed + (-1 - a) * dimension;
  const real *y = q + b * dimension;
  real square = 0;
  for (int j = 0; j < dimension; j++) {
    d[j] = y[j] - x[j];
    square += d[j] * d[j];
  }
  return square;
}

/* Adds `factor` times d to the gradient at end b, and subtracts it from the gradient at end a. */
static inline void shk_particles_pull(real *out, const struct shk_particles *s, int a, int b,
                                      real factor, const real *d)
{
  const int dimension = s->sites.dimension;
  for (int j = 0; j < dimension; j++) {
    out[b * dimension + j] += factor * d[j];
    if (a >= 0)
      out[a * dimension + j] -= factor * d[j];
  }
}

/* Stores the vector d along a quartic spring and returns (|d|² - l²)/l. */
static inline real shk_particles_stretch(real *d, const struct shk_particles *s,
                                         const struct shk_spring *spring, const real *q)
{
  const real square = shk_particles_between(d, s, spring->a, spring->b, q);
  return (square - spring->rest * spring->rest) / spring->rest;
}

/* Returns the inverse reduced mass of the two ends. */
real shk_particles_softness(const struct shk_particles *s, int a, int b);
/* Returns the square of the faster of two initial rates of a rod: the rate of a pendulum of the
 * rod's length under gravity, and the rate of the relative motion of its ends. */
real shk_particles_rod_rate(const struct shk_particles *s, const struct shk_rod *rod);
/* Returns the squared rate that corresponds to the curvature of a pair's potential at the initial
 * state. */
real shk_particles_pair_rate(const struct shk_particles *s, const struct shk_pair *pair);

/* The callbacks of the system. */
int shk_particles_potential(const void *context, real *value, real t, const real *q);
int shk_particles_gradient(const void *context, real *out, real t, const real *q);

/* Declares the terms of the potential. The terms are owned by s. */
const struct shk_terms *shk_particles_declare(struct shk_particles *s);

/* Returns the contents of a file that describes the instance's system, with the digits of a double.
 * Returns NULL if gravity sways or if there are terms that the function cannot write. The caller
 * must free the string. */
char *shk_particles_text(const struct shk_instance *instance);

/* Finds the invariants that follow from Noether's theorem for the given gravity and fixed points,
 * and declares them. `used` (fixed_count entries) marks the fixed points that interact. */
void shk_particles_find_kept(struct shk_instance *instance, struct shk_particles *s,
                             const bool *used, int fixed_count);

#endif
