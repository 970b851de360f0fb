/*
 * What to draw of a system: points that are functions of the state, lines between them, and what
 * does not move. It never enters an integration.
 *
 * A system whose constraints are all rods (system.h, struct shk_rods) is drawn from these and needs
 * no more. In the plane x goes to the right and y up; a picture of space is drawn in parallel
 * projection, with one axis upwards.
 */
#ifndef SHAKEDOWN_PICTURE_H
#define SHAKEDOWN_PICTURE_H

#include <shakedown/real.h>

/* From point a to point b; a number below zero stands for the fixed point -1 - a. */
struct shk_picture_line {
  int a, b;
  bool spring; /* drawn thin and dashed: not a rigid part */
};

struct shk_picture {
  size_t struct_size;
  int dimension; /* 2 or 3: of every point's coordinates */
  int up;        /* in space: the axis that is drawn upwards, 0, 1 or 2 */

  /* The points at the state (t, q): positions (point_count x dimension). NULL: they are the first
   * point_count * dimension coordinates q. The context is the system's. */
  int point_count;
  int dot_count; /* how many, the first ones, are drawn as dots; 0: all of them */
  int (*place)(const void *context, real *positions, real t, const real *q);

  int fixed_count; /* points that never move: pivots, anchors, joints of the ground */
  const real *fixed;

  int line_count;
  const struct shk_picture_line *lines;

  int tracer; /* the point whose path is drawn */

  /* One or more fixed curves, such as the wire of a bead: points joined in order. A point with a
   * NaN ends a curve. */
  int curve_count;
  const real *curve;
};

#endif
