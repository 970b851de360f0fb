/*
 * Regularity along a run, from cells of the kind "regularity" (measures/regularity.c): the least
 * singular value of the scaled constraint Jacobian, signed, with the crossings found as marks on
 * zero, and below it the largest multiplier. A multiplier that grows at a crossing of a smooth
 * motion is therefore visible.
 *
 * One run of each method is shown, as in the figures of energy and constraints. The legend counts
 * sign changes of all singular values: if two of them vanish together, the least one may keep its
 * sign.
 */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <math.h>
#include <stdlib.h>

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_SERIES_SINGULAR_VALUE);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  shk_along_run_write(drawing, &chart, &runs, 1, SHK_SERIES_SINGULAR_VALUE);
  shk_along_run_write(drawing, &chart, &runs, 2, SHK_SERIES_MULTIPLIER);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const struct shk_series *series = shk_drawn_series(runs.of[m], SHK_SERIES_CROSSING);
    shk_chart_block(&chart, drawing->shown[m], "crossings: time, value left there");
    for (int k = 0; series && k < series->count; k++)
      SHK_CHART_ROW(&chart, series->time[k], series->mean[k]);
    const double count = shk_recorded(&runs.of[m]->outcome, SHK_QUANTITY_CROSSINGS, NULL);
    shk_chart_name_run(drawing, &chart, &runs, m,
                       isfinite(count) ? shk_phrase("%.0f sign changes", count).text : "");
  }
  free(runs.of);
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_regularity = {
    .measure = "regularity",
    .shows = "the signed least singular value, its crossings, and the largest multiplier along "
             "the run; needs the measure `regularity`",
    .of_precision = draw};
