/* Violation of the constraint and of the hidden constraint along the run. */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <math.h>
#include <stdlib.h>

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_series_id series[] = {SHK_SERIES_CONSTRAINT, SHK_SERIES_HIDDEN};
  static const enum shk_quantity_id largest[] = {SHK_QUANTITY_CONSTRAINT_MAX,
                                                 SHK_QUANTITY_HIDDEN_MAX};
  struct shk_chart chart;
  struct shk_run_names names;
  const struct shk_record **const runs =
      shk_chart_runs(drawing, &chart, group, precision, series[0], &names);
  if (!runs)
    return true;
  double until = 0;
  for (int k = 0; k < 2; k++) {
    struct shk_along_run extent = shk_along_run_of_nothing;
    for (int i = 0; i < chart.method_count; i++) {
      const int m = chart.methods[i];
      shk_along_run_write(&chart, runs[m], drawing->shown[m], series[k], SHK_LINE_INTERVALS,
                          &extent);
    }
    shk_along_run_range(&chart, k + 1, &extent);
    shk_chart_set_nth_label(&chart, "label", k + 1, shk_quantity_label(largest[k], SHK_BLOCKS));
    until = fmax(until, extent.until);
  }
  shk_chart_set(&chart, "until", until);
  shk_chart_set_label(&chart, "time", shk_time_label(drawing->groups[group].unit));
  shk_chart_name_runs(drawing, &chart, runs, &names, "max |g|", SHK_QUANTITY_CONSTRAINT_MAX);
  free(runs);
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_constraint = {
    .shows = "\\|g\\| and the hidden constraint along the run", .of_precision = draw};
