/*
 * The constraint graph: constraints are joined if they share a coordinate.
 */
#ifndef MECHANICS_ALGEBRA_GRAPH_H
#define MECHANICS_ALGEBRA_GRAPH_H

#include <shakedown/system.h>
#include <shakedown/workspace.h>

/* Each of these structs is one piece of memory of the workspace, which begins at `start`:
 * shk_give_back(start) frees it early. */

/* A partition of the constraints: class c has rows[start[c]] … rows[start[c+1]-1], ascending. */
struct shk_partition {
  int count;
  int *start; /* count + 1 */
  int *rows;  /* m */
};

/* The Jacobian's pattern by columns: coordinate j is touched by the constraints row[k] with their
 * entries at place[k] of the values, k = start[j] … start[j+1]-1, rows ascending. */
struct shk_touching {
  int *start, *row, *place;
};

struct shk_status shk_touching_init(struct shk_touching *touching, struct shk_workspace *workspace,
                                    const struct shk_evaluator *e);
/* The connected components, in the order of their first rows. */
struct shk_status shk_components(struct shk_partition *partition, struct shk_workspace *workspace,
                                 const struct shk_evaluator *e);
/* Classes of constraints no two of which share a coordinate: each in turn takes the first class
 * where it fits. Without a declared pattern each constraint is a class. */
struct shk_status shk_colours(struct shk_partition *partition, struct shk_workspace *workspace,
                              const struct shk_evaluator *e);
/* Rows in the largest class. */
int shk_partition_largest(const struct shk_partition *partition);

#endif
