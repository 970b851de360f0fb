/*
 * Points joined by a few rods, several such clusters solved for their multipliers at a time, as
 * lanes of one computation: the position solve and the hidden one of solve.h, for a batch of
 * clusters of one shape.
 */
#ifndef MECHANICS_SOLVERS_RODS_CLUSTER_H
#define MECHANICS_SOLVERS_RODS_CLUSTER_H

#include "mechanics/solvers/rods/cluster_batch.h"

struct shk_cluster_end shk_cluster_position(const struct shk_cluster_run *run,
                                            const struct shk_cluster_shape *shape,
                                            const struct shk_cluster_batch *batch,
                                            const struct shk_position_solve *task);
struct shk_cluster_end shk_cluster_hidden(const struct shk_cluster_run *run,
                                          const struct shk_cluster_shape *shape,
                                          const struct shk_cluster_batch *batch,
                                          const struct shk_hidden_solve *task);

#endif
