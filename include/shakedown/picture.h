/*
 * The picture of a system: points that are functions of the state, and the lines that join them. It
 * never enters an integration.
 *
 * A system whose constraints are all distance constraints (system.h, struct shk_rods) is drawn from
 * these and needs no picture. In the plane x points to the right and y up; a picture of space is a
 * parallel projection with one axis upwards.
 */
#ifndef SHAKEDOWN_PICTURE_H
#define SHAKEDOWN_PICTURE_H

#include <shakedown/real.h>

/* A line from point a to point b; a negative number is the fixed point -1 - a. */
struct shk_picture_line {
  int a, b;
  bool spring; /* thin and dashed: not a rigid part */
};

struct shk_picture {
  size_t struct_size;
  int dimension; /* 2 or 3: coordinates of each point */
  int up;        /* in space: axis that is drawn upwards, 0, 1 or 2 */

  /* place: stores the positions of the points (point_count x dimension) at the state (t,q), given
   * the system's context. Returns 0, or another value if it fails. NULL: the positions are the
   * first point_count * dimension entries of q. The path of the last point is drawn. */
  int point_count;
  int (*place)(const void *context, real *positions, real t, const real *q);

  int fixed_count; /* points that do not move, `dimension` numbers each: pivots, anchors, joints */
  const real *fixed;

  int line_count;
  const struct shk_picture_line *lines;
};

#endif
