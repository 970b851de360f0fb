/*
 * Molecules of a system of free points joined by distance constraints: their points and masses, and
 * the parts of the kinetic energy with their degrees of freedom. See molecular/temperatures.c.
 */
#ifndef MEASURES_MOLECULES_H
#define MEASURES_MOLECULES_H

#include "measures/measure.h"
#include "mechanics/algebra/graph.h"
#include <shakedown/parts/problem.h>
#include <shakedown/parts/workspace.h>

enum { SHK_MOST_MASSES = 8 };

struct shk_molecules {
  const struct shk_system *system;
  const struct shk_rods *rods;
  int dimension, points, count, masses; /* numbers of molecules; of different masses, 0: too many */
  int *molecule, *kind;       /* of each point: its molecule; the index of its mass in `mass` */
  struct shk_partition parts; /* the bonds, by molecule; molecules with bonds come first */
  real *weight;               /* mass of each molecule */
  real total, mass[SHK_MOST_MASSES]; /* of all points; the different masses, ascending */
  real *G, *A, *b; /* entries of the Jacobian; a matrix, two vectors for the largest molecule */
  int *pivots;
};

/* Kinetic energy without the motion of the common centre: of molecules as wholes, of motion inside
 * them, and of the points of each mass (by its index), which have both motions. */
struct shk_kinetic {
  real translation, rotation, atoms[SHK_MOST_MASSES];
};

/* Returns one over the number of points. */
double shk_per_atom(const struct shk_measured *run);
/* True if the system consists of free points joined by distance constraints alone. */
bool shk_is_of_molecules(const struct shk_measured *run);
/* Finds the molecules. Arrays belong to the workspace; the caller evaluates G. */
struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);
/* Stores the parts for the velocities v (n); centres (count x dimension) is work space. */
void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v);
/* Stores the degrees of freedom of the points of each mass (SHK_MOST_MASSES) at the configuration
 * of G. SHK_SINGULAR if the bonds of a molecule are dependent. */
struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *evaluator);

#endif
