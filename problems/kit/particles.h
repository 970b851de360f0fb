/*
 * A system of particles from a file, as `particles` holds it: shared by the forces (particles.c)
 * and the conserved quantities (particles_kept.c).
 */
#ifndef PROBLEMS_KIT_PARTICLES_H
#define PROBLEMS_KIT_PARTICLES_H

#include "problems/kit/sites.h"

struct shk_spring {
  int a, b; /* as in struct shk_rod */
  real stiffness, rest;
};

struct shk_pair {
  int a, b;
  real charges, lj12, lj6; /* c e_a e_b, 4 epsilon sigma¹², 4 epsilon sigma⁶ */
};

/* A conserved quantity: momentum along a coordinate, or angular momentum about an axis. */
struct shk_kept {
  bool turning;
  int coordinate;
  real axis[3];
};

enum { SHK_KEPT = 6 };

struct shk_particles {
  struct shk_sites sites; /* first: the callbacks of sites.h take it for the context */
  bool project;           /* a start that is not consistent */
  bool falls;
  real gravity[3];
  int spring_count, pair_count, kept_count;
  struct shk_spring *springs;
  struct shk_pair *pairs;
  real *fixed; /* positions of the fixed points */
  struct shk_kept kept[SHK_KEPT];
  const char *names[SHK_KEPT];
  bool about_centre; /* angular momentum: about the centre of mass, else about `centre` */
  real centre[3];
};

#define shk_particles_find_kept SHK_NAME(shk_particles_find_kept)
#define shk_particles_invariants SHK_NAME(shk_particles_invariants)

/* Finds what Noether's theorem keeps, from gravity and from the fixed points that take part:
 * `used` (fixed_count). Fills kept, names, about_centre and centre. */
void shk_particles_find_kept(struct shk_particles *s, const bool *used, int fixed_count);
/* The callback of an instance: values (kept_count). */
int shk_particles_invariants(const void *context, real *values, real t, const real *q,
                             const real *p);

#endif
