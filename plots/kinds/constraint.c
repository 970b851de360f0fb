/* Violation of the constraint and of the hidden one along the run, on logarithmic axes. */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <math.h>
#include <stdlib.h>

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_series_id series[] = {SHK_SERIES_CONSTRAINT, SHK_SERIES_HIDDEN};
  static const enum shk_quantity_id largest[] = {SHK_QUANTITY_CONSTRAINT_MAX,
                                                 SHK_QUANTITY_HIDDEN_MAX};
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, series[0], &count);
  if (count == 0) {
    free(runs);
    return true;
  }
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, NULL, precision, 2, 1);
  figure.panel_height = 3.9;
  double until = 0;
  for (int row = 0; row < 2; row++) {
    struct shk_along_run extent = shk_along_run_of_nothing;
    struct shk_panel *panel = shk_figure_panel(&figure, row, 0);
    for (int m = 0; m < drawing->method_count; m++)
      if (shk_drawn_series(runs[m], series[row]))
        shk_along_run_sizes(
            panel, shk_along_run_write(&figure, runs[m], series[row], SHK_LINE_INTERVALS, &extent),
            m, drawing->method_count);
    shk_along_run_log_axis(&panel->y, &extent);
    panel->y.label = shk_quantity_label(largest[row], SHK_BLOCKS);
    until = fmax(until, extent.until);
    panel->x = (struct shk_axis){.low = 0, .high = until};
    if (row == 1)
      panel->x.label = shk_time_label(drawing->groups[group].unit);
  }
  const struct shk_key_runs key = shk_key_of_runs(&figure, runs, drawing->method_count);
  shk_key_head(&figure, key.column, shk_label("max |g|", "$\\max|g|$"));
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m])
      shk_along_run_key(&figure, &key, drawing, m, runs[m], SHK_QUANTITY_CONSTRAINT_MAX);
  free(runs);
  return shk_drawing_finish(drawing, &figure);
}

const struct shk_figure_kind shk_figure_kind_constraint = {
    .shows = "\\|g\\| and the hidden constraint along the run", .of_precision = draw};
