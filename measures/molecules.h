/*
 * The molecules of a system of free points joined by rods: what rods connect, masses, and how many degrees of
 * freedom the kinetic energy has in each part. See temperatures.c.
 */
#ifndef MEASURES_MOLECULES_H
#define MEASURES_MOLECULES_H

#include "mechanics/algebra/graph.h"
#include <shakedown/problem.h>
#include <shakedown/workspace.h>

enum { SHK_MOST_MASSES = 8 };

struct shk_molecules {
  const struct shk_system *system;
  const struct shk_rods *rods;
  int dimension, points, count, masses;
  int *molecule, *kind;       /* of each point: its molecule, its mass among those there are */
  struct shk_partition parts; /* the rods of each molecule that has some; these come first */
  real *weight;               /* of each molecule */
  real total, mass[SHK_MOST_MASSES];
  real *G, *A, *b; /* of the pattern; of the rods of the largest molecule, squared, and each */
  int *pivots;
};

/* The kinetic energy in parts, without that of the centre of all: of the motion of molecules, of what is
 * inside them, and of points by mass. */
struct shk_kinetic {
  real translation, rotation, atoms[SHK_MOST_MASSES];
};

#define shk_is_of_molecules SHK_NAME(shk_is_of_molecules)
#define shk_per_atom SHK_NAME(shk_per_atom)
#define shk_molecules_find SHK_NAME(shk_molecules_find)
#define shk_molecules_kinetic SHK_NAME(shk_molecules_kinetic)
#define shk_molecules_freedom SHK_NAME(shk_molecules_freedom)

/* One over the number of points. */
double shk_per_atom(const struct shk_instance *instance);
/* False where the system is not made of free points joined by rods and nothing else. */
bool shk_is_of_molecules(const struct shk_instance *instance);
/* Everything but G, which is the caller's to evaluate, in the workspace. */
struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);
/* Of velocities v (n), with room for those of the centres (count x dimension). */
void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v);
/* Degrees of freedom of the points by mass (SHK_MOST_MASSES), where the Jacobian has the values G. */
struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *evaluator);

#endif
