/* Problems of a study that differ in one number only, which is the axis of a figure. Private to
 * plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "foundation/index.h"
#include "plots/canvas/drawing.h"

/* The groups of one problem, sorted by the value of the option in which they differ. */
struct shk_sweep {
  const char *option;
  int first; /* the smallest index of its groups */
  int count;
  struct shk_swept_value {
    int group;
    double value;
    char *text; /* the value as written in the specification */
  } * values;
  struct shk_index steps; /* of their cells; "own": chosen by the method */
};

/* Gathers the sweep of a group if three or more selected groups of the same problem start at the
 * problem's own start, and their specifications differ in exactly one option, a number. Returns
 * false otherwise; there is nothing to clear then. */
bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group);
/* Makes each step of a sweep a figure of its own: the drawing's variant is the number of one. */
void shk_sweep_vary(struct shk_drawing *drawing, const struct shk_sweep *sweep);
void shk_sweep_clear(struct shk_sweep *sweep);

#endif
