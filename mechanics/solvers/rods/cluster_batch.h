/* A batch of clusters of one shape, several of them side by side, and how a solve of it ends. */
#ifndef MECHANICS_SOLVERS_RODS_CLUSTER_BATCH_H
#define MECHANICS_SOLVERS_RODS_CLUSTER_BATCH_H

#include "mechanics/algebra/simd.h"
#include <shakedown/iteration.h>
#include <shakedown/solve.h>

/* The most rods of a cluster (six make a rigid body of four points), and the most points, two for
 * each rod. */
enum { SHK_CLUSTER_RODS = 6, SHK_CLUSTER_POINTS = 2 * SHK_CLUSTER_RODS };

/* Rod i joins points a[i] and b[i], numbered within the cluster. Moving points come first; every
 * fixed end is a point of its own. */
struct shk_cluster_shape {
  int dimension, points, moving, rods;
  int contiguous; /* 1: the coordinates of its moving points are contiguous in q */
  int a[SHK_CLUSTER_RODS], b[SHK_CLUSTER_RODS];
};

/* The places of the SIMD_LANES clusters of a batch; arrays have the lanes of each entry side by
 * side. */
struct shk_cluster_batch {
  const int *point; /* by points: the first coordinate in q, or in `fixed` for fixed points */
  const int *row;   /* by rods: the constraint */
  const real *inverse_mass; /* by moving points */
  const real *square;       /* by rods */
  bool following;           /* the lanes' coordinates are one block of q, lane behind lane */
};

/* What all batches of a solve share. In a plain solve each lane ends, and is then frozen, by the
 * simple cases of the stopping rule; in any other case it is left unsolved. Alone, all lanes are
 * the same cluster: lane 0 ends by the full rule, and its matrix is factored with pivoting. */
struct shk_cluster_run {
  const struct shk_evaluator *evaluator;
  struct shk_iteration *iteration;
  bool alone;
};

struct shk_cluster_end {
  long iterations;          /* corrections: the most of any lane */
  unsigned solved;          /* bits: lanes whose results are written; alone all of them */
  struct shk_status status; /* alone: SHK_SINGULAR names the cluster's first row */
};

#endif
