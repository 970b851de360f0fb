/*
 * Describes the molecules of a system of free points joined by distance constraints: their points
 * and masses, the parts of their kinetic energy, and the degrees of freedom of these parts. See
 * molecular/temperatures.c.
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
  /* the number of molecules, and the number of distinct masses (0 if there are too many) */
  int dimension, points, count, masses;
  /* for each point, the index of its molecule and the index of its mass */
  int *molecule, *kind;
  struct shk_partition parts; /* the bonds grouped by molecule; molecules with bonds come first */
  real *weight;               /* mass of each molecule */
  /* the total mass of the points, and the distinct masses in ascending order */
  real total, mass[SHK_MOST_MASSES];
  /* the Jacobian entries, and scratch space for a matrix and two vectors of the largest molecule */
  real *G, *A, *b;
  int *pivots;
};

/* Kinetic energy without the motion of the common centre of mass. `translation` is the energy of
 * the molecules' motion as a whole, and `rotation` that of the motion within them. For each mass,
 * in the order of the masses, `atoms` is the energy of both motions of the points with this
 * mass. */
struct shk_kinetic {
  real translation, rotation, atoms[SHK_MOST_MASSES];
};

/* Returns 1 divided by the number of points. */
double shk_per_atom(const struct shk_measured *run);
/* Returns true if the system consists only of free points joined by distance constraints. */
bool shk_is_of_molecules(const struct shk_measured *run);
/* Finds the molecules. The arrays belong to the workspace, and the caller must evaluate G. */
struct shk_status shk_molecules_find(struct shk_molecules *molecules,
                                     struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);
/* Stores the parts of the kinetic energy for the velocities v (n). `centres` (count x dimension) is
 * scratch space. */
void shk_molecules_kinetic(struct shk_kinetic *kinetic, real *centres,
                           const struct shk_molecules *molecules, const real *v);
/* Stores the degrees of freedom of the points with each mass (SHK_MOST_MASSES numbers) in the
 * configuration for which G was evaluated. Returns SHK_SINGULAR if the bonds of a molecule are
 * dependent. */
struct shk_status shk_molecules_freedom(double *freedom, struct shk_molecules *molecules,
                                        const struct shk_evaluator *evaluator);

#endif
