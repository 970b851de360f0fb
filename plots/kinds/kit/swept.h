/* Problems or methods of a study that differ only in one number, which becomes the axis of a
 * figure. Private to plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "foundation/index.h"
#include "plots/canvas/drawing.h"

/* The groups of a problem, or the methods in a group, sorted by the value of the option in which
 * they differ. */
struct shk_sweep {
  const char *option;
  int first; /* smallest index of its groups */
  int count;
  struct shk_swept_value {
    int group, method; /* method: -1 for all methods */
    int curve;         /* for a sweep of methods: first method of the curve */
    double value;      /* NaN if the method lacks the option or varies no number */
    char *text;        /* the value as written in the specification, or the default */
  } * values;
  int name_count;
  char **names;            /* of method curves, without the option; NULL if groups differ */
  struct shk_phrase words; /* for the step of the variant, in the caption */
  struct shk_index steps;  /* steps of their cells; "own" if chosen by the method */
};

/* Gathers the sweep of a group if three or more selected groups of the same problem start at the
 * problem's own start and their specifications differ in exactly one option, which is a number.
 * Otherwise returns false, and nothing needs to be cleared. */
bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group);
/* Gathers the methods of a group that differ in a number, if there are at least three. They must
 * differ in exactly one option, or in several options that have the same value, such as alpha and
 * beta for critical damping. Methods that vary no number become entries without a value. Each
 * option and each step is a variant of the drawing, and *step is set to the step of the current
 * variant. Returns false if there are no such methods. */
bool shk_sweep_methods(struct shk_sweep *sweep, struct shk_drawing *drawing, int group,
                       const char **step);
/* Makes each step of a sweep a separate figure. The drawing's variant is the number of a step,
 * which is returned. */
const char *shk_sweep_vary(struct shk_drawing *drawing, struct shk_sweep *sweep);
void shk_sweep_clear(struct shk_sweep *sweep);

#endif
