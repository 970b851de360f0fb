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
  /* `count` molecules; `masses` distinct masses, or 0 if there are too many */
  int dimension, points, count, masses;
  /* for each point: its molecule, and the index of its mass in `mass` */
  int *molecule, *kind;
  struct shk_partition parts; /* the bonds, molecule by molecule; molecules with bonds come first */
  real *weight;               /* mass of each molecule */
  /* mass of all points; the distinct masses in ascending order */
  real total, mass[SHK_MOST_MASSES];
  real *G, *A, *b; /* Jacobian entries; a matrix and two vectors for the largest molecule */
  int *pivots;
};

/* Kinetic energy excluding the motion of the common centre: that of the molecules as a whole, that
 * of the motion inside them, and, by index of the mass, that of the points with each mass, which
 * includes both motions. */
struct shk_kinetic {
  real translation, rotation, atoms[SHK_MOST_MASSES];
};

/* Returns 1 divided by the number of points. */
double shk_per_atom(const struct shk_measured *run);
/* Returns true if the system consists only of free points joined by distance constraints. */
bool shk_is_of_molecules(const struct shk_measured *run);
/* Finds the molecules. The arrays belong to the workspace, and the caller evaluates G. */
struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);
/* Stores the parts of the kinetic energy for the velocities v (n). centres (count x dimension) is
 * work space. */
void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v);
/* Stores the degrees of freedom of the points of each mass (SHK_MOST_MASSES) at the configuration
 * of G. Returns SHK_SINGULAR if the bonds of a molecule are dependent. */
struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *evaluator);

#endif
