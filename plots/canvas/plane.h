/* Points of a plane in a panel: how far they reach, and whether they follow each other closely. */
#ifndef PLOTS_CANVAS_PLANE_H
#define PLOTS_CANVAS_PLANE_H

#include "plots/canvas/figure.h"

struct shk_box {
  double left, right, bottom, top;
};
extern const struct shk_box shk_box_of_nothing;
void shk_box_extend(struct shk_box *box, const double *x, const double *y, int count);
/* Whether points are close enough to be joined by a line. Lengths are measured in units of the
 * path's own extent. */
bool shk_path_is_close(const double *x, const double *y, int count);
/* Ranges with room around the box; with `equal`, a unit has one length on both axes, and the panel
 * is made as high as that needs, between half and one and a quarter times its width. */
void shk_panel_ranges(struct shk_figure *figure, struct shk_panel *panel, struct shk_box box,
                      bool equal);

#endif
