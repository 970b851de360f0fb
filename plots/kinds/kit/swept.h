/* Problems or methods of a study that differ in one number only, which is the axis of a figure.
 * Private to plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "foundation/index.h"
#include "plots/canvas/drawing.h"

/* The groups of one problem, or the methods of one group, sorted by the value of the option in which
 * they differ. */
struct shk_sweep {
  const char *option;
  int first; /* the smallest index of its groups */
  int count;
  struct shk_swept_value {
    int group, method; /* method: -1 stands for all */
    int curve;         /* of the sweep of methods: the first one of its curve */
    double value;      /* NaN: the method has no such option, or varies no number */
    char *text;        /* the value as written in the specification, or the default */
  } * values;
  int name_count;
  char **names;            /* of the curves of methods, without the option; NULL: groups differ */
  struct shk_phrase words; /* of the step of the variant, for the caption */
  struct shk_index steps;  /* of their cells; "own": chosen by the method */
};

/* Gathers the sweep of a group if three or more selected groups of the same problem start at the
 * problem's own start, and their specifications differ in exactly one option, a number. Returns
 * false otherwise; there is nothing to clear then. */
bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group);
/* Gathers the methods of a group that differ in a number, three of them at least: in exactly one
 * option, or in several that have the same value, as alpha and beta of critical damping. Methods
 * that vary no number are values without one. Each option and each step is a variant of the drawing;
 * *step: that of this one. Returns false if there are none. */
bool shk_sweep_methods(struct shk_sweep *sweep, struct shk_drawing *drawing, int group,
                       const char **step);
/* Makes each step of a sweep a figure of its own: the drawing's variant is the number of one, which
 * is returned. */
const char *shk_sweep_vary(struct shk_drawing *drawing, struct shk_sweep *sweep);
void shk_sweep_clear(struct shk_sweep *sweep);

#endif
