/*
 * The constraint graph. Its nodes are the constraints, and two of them are connected if they share
 * a coordinate.
 */
#ifndef MECHANICS_ALGEBRA_GRAPH_H
#define MECHANICS_ALGEBRA_GRAPH_H

#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

/* Each of the following structs occupies a single block of workspace memory that begins at `start`.
 * To free the block early, call shk_give_back(start). */

/* A partition of the constraints. Class c consists of rows[start[c]] … rows[start[c+1]-1], in
 * ascending order. */
struct shk_partition {
  int count;
  int *start; /* count + 1 */
  int *rows;  /* m */
};

/* The Jacobian's pattern, stored column by column. For k = start[j] … start[j+1]-1, constraint
 * row[k] depends on coordinate j, and the corresponding Jacobian value has index place[k]. Rows are
 * in ascending order. */
struct shk_touching {
  int *start, *row, *place;
};

struct shk_status shk_touching_init(struct shk_touching *touching, struct shk_workspace *workspace,
                                    const struct shk_evaluator *e);
/* Finds the connected components, in the order of their first rows. */
struct shk_status shk_components(struct shk_partition *partition, struct shk_workspace *workspace,
                                 const struct shk_evaluator *e);
/* Finds classes in which no two constraints share a coordinate. Each constraint in turn joins the
 * first class that fits. Without a declared pattern, each constraint forms its own class. */
struct shk_status shk_colours(struct shk_partition *partition, struct shk_workspace *workspace,
                              const struct shk_evaluator *e);
/* Returns the number of rows in the largest class. */
int shk_partition_largest(const struct shk_partition *partition);

#endif
