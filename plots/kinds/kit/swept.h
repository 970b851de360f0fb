/* Finds problems or methods of a study that differ in only one number, which becomes the horizontal
 * axis of a figure. Private to plots/. */
#ifndef PLOTS_KINDS_KIT_SWEPT_H
#define PLOTS_KINDS_KIT_SWEPT_H

#include "foundation/index.h"
#include "plots/canvas/drawing.h"

/* The groups of a problem, or the methods in a group, sorted by the value of the option that
 * varies. */
struct shk_sweep {
  const char *option;
  int first; /* the smallest index among the groups in the sweep */
  int count;
  struct shk_swept_value {
    int group, method; /* `method` is -1 if the value applies to all methods */
    int curve;         /* in a sweep of methods, the first method of the curve */
    double value;      /* NaN if the method belongs to no sweep */
    char *text;        /* the value as written in the specification, or the default */
  } * values;
  int name_count;
  /* names for the curves, without the option; NULL in a sweep of problems */
  char **names;
  struct shk_phrase words; /* description of the variant's step for the caption */
  /* step sizes of the cells, or "own" if the method chooses its own steps */
  struct shk_index steps;
};

/* Gathers the sweep to which a group belongs. A sweep consists of at least three selected groups of
 * the same problem. All of them must use the problem's own start, and their specifications must
 * differ in exactly one option, which must be a number. If there is no sweep, returns false, and
 * the caller need not call shk_sweep_clear. */
bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group);
/* Gathers the methods of a group that differ in a number, provided that there are at least three.
 * They must differ in exactly one option, or in several options that always have the same value,
 * such as alpha and beta for critical damping. The other methods become entries without a value.
 * Each combination of an option and a step is a variant of the drawing, and *step is set to the
 * step of the current variant. Returns false if there is no sweep. */
bool shk_sweep_methods(struct shk_sweep *sweep, struct shk_drawing *drawing, int group,
                       const char **step);
/* Makes a separate figure for each step of a sweep. Returns the step for the drawing's current
 * variant. */
const char *shk_sweep_vary(struct shk_drawing *drawing, struct shk_sweep *sweep);
void shk_sweep_clear(struct shk_sweep *sweep);

#endif
