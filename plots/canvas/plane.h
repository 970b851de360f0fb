/* Points of a plane in a panel: their extent, and whether consecutive ones are close. */
#ifndef PLOTS_CANVAS_PLANE_H
#define PLOTS_CANVAS_PLANE_H

#include "plots/canvas/chart.h"

struct shk_box {
  double left, right, bottom, top;
};
extern const struct shk_box shk_box_of_nothing;
void shk_box_extend(struct shk_box *box, const double *x, const double *y, int count);
/* True if points are close enough to be joined by a line. Lengths are measured in units of the
 * path's own extent. */
bool shk_path_is_close(const double *x, const double *y, int count);
/* Writes the ranges with room around the box as settings: left, right, bottom, top, and the ratio
 * of the panel's height to its width. With `equal` both axes have the same scale; the ratio follows
 * from that, limited to 1/2 … 5/4. */
void shk_chart_box(struct shk_chart *chart, struct shk_box box, bool equal);

#endif
