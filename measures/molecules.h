/*
 * Molecules of a system of free points joined by distance constraints: their points, their masses,
 * and the degrees of freedom in each part of the kinetic energy. See temperatures.c.
 */
#ifndef MEASURES_MOLECULES_H
#define MEASURES_MOLECULES_H

#include "measures/measure.h"
#include "mechanics/algebra/graph.h"
#include <shakedown/problem.h>
#include <shakedown/workspace.h>

enum { SHK_MOST_MASSES = 8 };

struct shk_molecules {
  const struct shk_system *system;
  const struct shk_rods *rods;
  int dimension, points, count, masses; /* molecules; different masses, 0: too many */
  int *molecule, *kind;       /* of each point: its molecule; the index of its mass among the
                                 different masses */
  struct shk_partition parts; /* the bonds, by molecule; molecules with bonds come first */
  real *weight;               /* mass of each molecule */
  real total, mass[SHK_MOST_MASSES];
  real *G, *A, *b; /* entries of the Jacobian; a matrix, a vector for the largest molecule */
  int *pivots;
};

/* Parts of the kinetic energy without the motion of the common centre: motion of molecules, motion
 * inside them, and motion of points, by index of their mass. */
struct shk_kinetic {
  real translation, rotation, atoms[SHK_MOST_MASSES];
};

/* One over the number of points. */
double shk_per_atom(const struct shk_measured *run);
/* False unless the system is made of free points joined by distance constraints alone. */
bool shk_is_of_molecules(const struct shk_measured *run);
/* Finds all but G, which the caller evaluates; arrays belong to the workspace. */
struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);
/* Stores the parts for the velocities v (n); centres (count x dimension) is work space. */
void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v);
/* Stores the degrees of freedom of points, by index of their mass (SHK_MOST_MASSES), for the
 * Jacobian G; SHK_SINGULAR if the bonds of a molecule are dependent. */
struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *evaluator);

#endif
