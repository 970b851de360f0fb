/* Violation of the constraint and of the hidden constraint along the run. */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <stdlib.h>

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_SERIES_CONSTRAINT);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  shk_along_run_write(drawing, &chart, &runs, 1, SHK_SERIES_CONSTRAINT);
  shk_along_run_write(drawing, &chart, &runs, 2, SHK_SERIES_HIDDEN);
  shk_chart_quantity(&chart, "label_1", SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS, "");
  shk_chart_quantity(&chart, "label_2", SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS, "");
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const double most = shk_recorded(&runs.of[m]->outcome, SHK_QUANTITY_CONSTRAINT_MAX, NULL);
    shk_chart_name_run(drawing, &chart, &runs, m,
                       shk_phrase("max |g| %s", shk_phrase_number(most, 3).text).text);
  }
  free(runs.of);
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_constraint = {
    .shows = "\\|g\\| and the hidden constraint along the run", .of_precision = draw};
