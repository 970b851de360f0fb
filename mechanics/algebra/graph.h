/*
 * The constraint graph, in which constraints that share a coordinate are joined.
 */
#ifndef MECHANICS_ALGEBRA_GRAPH_H
#define MECHANICS_ALGEBRA_GRAPH_H

#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

/* Each of these structs uses a single allocation of the workspace, at `start`. shk_give_back(start)
 * frees it early. */

/* A partition of the constraints. Class c contains rows[start[c]] … rows[start[c+1]-1], in
 * ascending order. */
struct shk_partition {
  int count;
  int *start; /* count + 1 */
  int *rows;  /* m */
};

/* The Jacobian's pattern by columns. For k = start[j] … start[j+1]-1, constraint row[k] depends on
 * coordinate j, and its entry is at index place[k] of the values. Rows are in ascending order. */
struct shk_touching {
  int *start, *row, *place;
};

struct shk_status shk_touching_init(struct shk_touching *touching, struct shk_workspace *workspace,
                                    const struct shk_evaluator *e);
/* Finds the connected components, in the order of their first rows. */
struct shk_status shk_components(struct shk_partition *partition, struct shk_workspace *workspace,
                                 const struct shk_evaluator *e);
/* Finds classes in which no two constraints share a coordinate. Each constraint in turn joins the
 * first class that fits. Without a declared pattern, each constraint is a class of its own. */
struct shk_status shk_colours(struct shk_partition *partition, struct shk_workspace *workspace,
                              const struct shk_evaluator *e);
/* Returns the number of rows in the largest class. */
int shk_partition_largest(const struct shk_partition *partition);

#endif
