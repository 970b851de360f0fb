/*
 * Regularity along a run, from cells of the kind "regularity" (measures/regularity.c): the least
 * singular value of the scaled constraint Jacobian, signed, with the crossings that were found as
 * marks on zero, and below it the largest multiplier. A multiplier that grows at a crossing where
 * the motion stays smooth stands out against one that does not.
 *
 * One run of each method, as in the figures of energy and constraints. Of the singular value the
 * mean of each interval is drawn, of the multiplier the largest. The key counts sign changes of all
 * singular values: where two of them vanish together the least one may keep its sign.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>

struct extent {
  double low, high, until;
};

/* Writes middle and value of each interval; `largest` picks the maximum in place of the mean. */
static int write_series(struct shk_figure *figure, const struct shk_record *run,
                        enum shk_series_id id, bool largest, struct extent *extent)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  const int index = shk_figure_block(figure, "%s, %s: middle of the interval, %s; %s",
                                     shk_series_entries[id].name, run->cell.integrator,
                                     largest ? "maximum" : "mean", shk_record_status(run));
  double begin = 0;
  for (int i = 0; i < series->count; i++) {
    const double value = largest ? series->maximum[i] : series->mean[i];
    const double row[] = {(begin + series->time[i]) / 2, value};
    begin = series->time[i];
    shk_figure_row(figure, row, 2);
    if (isfinite(value) && (!largest || value > 0)) {
      extent->low = fmin(extent->low, value);
      extent->high = fmax(extent->high, value);
    }
  }
  extent->until = fmax(extent->until, begin);
  return index;
}

static void add_crossings(struct shk_figure *figure, struct shk_panel *panel,
                          const struct shk_record *run, int method)
{
  const struct shk_series *series = shk_drawn_series(run, SHK_SERIES_CROSSING);
  if (!series)
    return;
  const int index =
      shk_figure_block(figure, "crossings, %s: time, value left there", run->cell.integrator);
  for (int i = 0; i < series->count; i++) {
    const double row[] = {series->time[i], series->mean[i]};
    shk_figure_row(figure, row, 2);
  }
  shk_panel_layer(panel, "index %d using 1:2 with points linestyle %d", index, method + 1);
}

static void fill_key(const struct shk_drawing *drawing, struct shk_figure *figure,
                     const struct shk_record *const *runs)
{
  const struct shk_key_runs key = shk_key_of_runs(figure, runs, drawing->method_count);
  shk_key_head(figure, key.column, shk_label_words("sign changes"));
  for (int m = 0; m < drawing->method_count; m++) {
    if (!runs[m])
      continue;
    shk_key_run(figure, &key, drawing, m, runs[m]);
    const double count = shk_recorded(&runs[m]->outcome, SHK_QUANTITY_CROSSINGS, NULL);
    if (isfinite(count))
      shk_key_value(figure, key.column, shk_label_print("%.0f", "%.0f", count));
  }
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_SERIES_SINGULAR_VALUE, &count);
  if (count == 0) {
    free(runs);
    return true;
  }
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, NULL, precision, 2, 1);
  figure.panel_height = 3.9;
  struct extent singular = {INFINITY, -INFINITY, 0}, multiplier = {INFINITY, 0, 0};
  for (int row = 0; row < 2; row++)
    shk_figure_panel(&figure, row, 0);
  for (int m = 0; m < drawing->method_count; m++) {
    if (!runs[m])
      continue;
    shk_panel_layer(&figure.panels[0], "index %d using 1:2 with lines linestyle %d",
                    write_series(&figure, runs[m], SHK_SERIES_SINGULAR_VALUE, false, &singular),
                    m + 1);
    if (shk_drawn_series(runs[m], SHK_SERIES_MULTIPLIER))
      shk_panel_layer(&figure.panels[1], "index %d using 1:($2>0?$2:NaN) with lines linestyle %d",
                      write_series(&figure, runs[m], SHK_SERIES_MULTIPLIER, true, &multiplier),
                      m + 1);
  }
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m])
      add_crossings(&figure, &figure.panels[0], runs[m], m);
  for (int row = 0; row < 2; row++) {
    figure.panels[row].x = (struct shk_axis){.low = 0, .high = singular.until};
  }
  shk_axis_linear(&figure.panels[0].y, fmin(singular.low, 0), fmax(singular.high, 0));
  figure.panels[0].y.label = shk_label_words("least singular value");
  if (multiplier.high > 0)
    shk_axis_range(&figure.panels[1].y, fmax(multiplier.low, 1e-8 * multiplier.high),
                   multiplier.high, 3);
  figure.panels[1].y.label = shk_label("max |{/:Italic λ}|", "$\\max|\\lambda|$");
  figure.panels[1].x.label = shk_time_label(drawing->groups[group].unit);
  fill_key(drawing, &figure, runs);
  free(runs);
  return shk_drawing_finish(drawing, &figure);
}

const struct shk_figure_kind shk_figure_kind_regularity = {
    .measure = "regularity",
    .shows = "the least singular value, signed, with the crossings, and the largest multiplier "
             "along the run; needs the measure `regularity`",
    .of_precision = draw};
