/*
 * The plain solves of cluster.h (lane by lane) for contiguous triangles of moving points in space,
 * when the Jacobian is not wanted.
 */
#ifndef MECHANICS_SOLVERS_RODS_CLUSTER_TRIANGLE_H
#define MECHANICS_SOLVERS_RODS_CLUSTER_TRIANGLE_H

#include "mechanics/solvers/rods/cluster_batch.h"

/* Their shape: rods 0 = (0,1), 1 = (0,2), 2 = (1,2). */
static const struct shk_cluster_shape shk_triangle = {3, 3, 3, 3, 1, {0, 0, 1}, {1, 2, 2}};

/* iterations and solved of struct shk_cluster_end. */
struct shk_triangles_end {
  long iterations;
  unsigned solved;
};
struct shk_triangles_end shk_triangle_position(const struct shk_cluster_run *run,
                                               const struct shk_cluster_batch *batch,
                                               const struct shk_position_solve *task);
struct shk_triangles_end shk_triangle_hidden(const struct shk_cluster_run *run,
                                             const struct shk_cluster_batch *batch,
                                             const struct shk_hidden_solve *task);

#endif
