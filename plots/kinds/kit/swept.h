/* Problems of a study that differ in one number only, which is the axis of a figure. Private to
 * plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "plots/canvas/drawing.h"

struct shk_swept_value {
  int group;
  double value;
  char *text; /* the value as written in the specification */
};

/* The groups of one problem, by the value of the option in which they differ, smallest first. */
struct shk_parameter_sweep {
  char *problem; /* without options */
  char *option;
  int count;
  struct shk_swept_value *values;
};

/* Gathers a sweep if group `first` is the first of three or more selected groups of the same
 * problem whose specifications differ in exactly one option, a number, and that start at the
 * problem's own start. Returns false otherwise; there is nothing to clear then. */
bool shk_swept_gather(struct shk_parameter_sweep *swept, const struct shk_drawing *drawing,
                      int first);
/* True if a group belongs to a sweep, first or not. */
bool shk_is_swept(const struct shk_drawing *drawing, int group);
void shk_swept_clear(struct shk_parameter_sweep *swept);

#endif
