/* Problems of a study that differ in one number only: what a figure has as its axis. Private to
 * plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "plots/canvas/drawing.h"

struct shk_swept_value {
  int group;
  double value;
  char *text; /* as it stands in the specification */
};

/* The groups of one problem, by the value of the option in which they differ, smallest first. */
struct shk_parameter_sweep {
  char *problem; /* its name alone */
  char *option;
  int count;
  struct shk_swept_value *values;
};

/* Whether group `first` is the first of three or more selected groups of the same problem, whose
 * specifications differ in exactly one option, a number, and that start where the problem says.
 * Only then is there something to clear. */
bool shk_swept_gather(struct shk_parameter_sweep *swept, const struct shk_drawing *drawing,
                      int first);
/* Whether a group belongs to such groups, first or not. */
bool shk_is_swept(const struct shk_drawing *drawing, int group);
void shk_swept_clear(struct shk_parameter_sweep *swept);

#endif
