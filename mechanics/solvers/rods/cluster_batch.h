/* A batch of clusters of one shape, several of them side by side, and how a solve of it ends. */
#ifndef MECHANICS_SOLVERS_RODS_CLUSTER_BATCH_H
#define MECHANICS_SOLVERS_RODS_CLUSTER_BATCH_H

#include "mechanics/solvers/rods/simd.h"
#include <shakedown/iteration.h>
#include <shakedown/solve.h>

/* Rods of a cluster at most: six make a rigid body of four points. And its points, when each rod
 * has two of its own. */
enum { SHK_CLUSTER_RODS = 6, SHK_CLUSTER_POINTS = 2 * SHK_CLUSTER_RODS };

/* What joins what: rod i goes from point a[i] to point b[i], each numbered within the cluster.
 * Those that move come first; every end that does not is a point of its own. */
struct shk_cluster_shape {
  int dimension, points, moving, rods;
  int contiguous; /* 1: the coordinates of those that move are one after the other in q */
  int a[SHK_CLUSTER_RODS], b[SHK_CLUSTER_RODS];
};

/* Where the SIMD_LANES clusters of a batch are; arrays with the lanes of each entry side by side. */
struct shk_cluster_batch {
  const int
      *point; /* by points: the first coordinate in q, or of those that do not move in `fixed` */
  const int *row;           /* by rods: the constraint */
  const real *inverse_mass; /* by points that move */
  const real *square;       /* by rods */
};

/* What all batches of a solve share. Plainly every lane ends where the plain cases of the stopping
 * rule let it end, and is frozen then; whatever else happens leaves it. Alone, all lanes are the
 * same cluster, lane 0 ends by the whole rule, and its matrix is factored with pivoting. */
struct shk_cluster_run {
  const struct shk_evaluator *evaluator;
  struct shk_iteration *iteration;
  bool alone;
};

#define SHK_CLUSTER_ALL ((1u << SIMD_LANES) - 1)
struct shk_cluster_end {
  long iterations;          /* corrections made: the most of any lane */
  unsigned solved;          /* by bits: lanes whose results are written; alone all of them */
  struct shk_status status; /* alone: SHK_SINGULAR names the cluster's first row */
};

#endif
