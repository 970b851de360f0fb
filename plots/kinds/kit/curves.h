/* Points that belong to curves of methods in panels, collected in any order. Private to plots/. */
#ifndef PLOTS_KINDS_KIT_CURVES_H
#define PLOTS_KINDS_KIT_CURVES_H

#include "plots/canvas/drawing.h"

enum { SHK_POINT_VALUES = 4 };

/* Begins as {0}. */
struct shk_curves {
  int count;
  struct shk_curve_point {
    int panel, method; /* from 0 */
    double x, y[SHK_POINT_VALUES];
  } * points;
};

/* The values of a curve at x; those of a new point are NaN. They move when another is added. */
double *shk_curves_at(struct shk_curves *curves, int panel, int method, double x);
/* True if a curve has this number of points with a value. */
bool shk_curves_have(const struct shk_curves *curves, int least);

/* Adds the methods that have a value to the chart, with lines of the legend. */
void shk_curves_add_methods(const struct shk_curves *curves, const struct shk_drawing *drawing,
                            struct shk_chart *chart);
/* Writes blocks of x and the first `values` values, panel by panel, one for each method of the
 * chart, by x. `names`: of the panels, or NULL. Frees the points. */
void shk_curves_write(struct shk_curves *curves, const struct shk_drawing *drawing,
                      struct shk_chart *chart, int panels, const struct shk_phrase *names,
                      int values, const char *columns);

#endif
