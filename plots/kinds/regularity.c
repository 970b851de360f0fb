/*
 * Regularity along a run, from cells of the kind "regularity" (measures/regularity.c): the least
 * singular value of the scaled constraint Jacobian, signed, with the crossings found as marks on
 * zero, and below it the largest multiplier. A multiplier that grows at a crossing of a smooth
 * motion is therefore visible.
 *
 * One run of each method is shown, as in the figures of energy and constraints: the mean singular
 * value of each interval, and the largest multiplier. The legend counts sign changes of all
 * singular values: if two of them vanish together, the least one may keep its sign.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>

struct extent {
  double low, high, until;
};

/* Writes middle and value of each interval; `largest` selects the maximum in place of the mean. A
 * run that stopped may have exploded: it extends the range only if it is alone. */
static void write_series(struct shk_chart *chart, const struct shk_record *run, const char *name,
                         enum shk_series_id id, bool largest, bool counts, struct extent *extent)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  double begin = 0;
  if (!series) {
    shk_chart_gap(chart);
    return;
  }
  shk_chart_block(chart, name, NULL, "%s: middle of the interval, %s; %s",
                  shk_series_entries[id].name, largest ? "maximum" : "mean",
                  shk_record_status(run));
  for (int i = 0; i < series->count; i++) {
    const double value = largest ? series->maximum[i] : series->mean[i];
    SHK_CHART_ROW(chart, (begin + series->time[i]) / 2, value);
    begin = series->time[i];
    if (counts && isfinite(value) && (!largest || value > 0)) {
      extent->low = fmin(extent->low, value);
      extent->high = fmax(extent->high, value);
    }
  }
  extent->until = fmax(extent->until, begin);
}

static void write_crossings(struct shk_chart *chart, const struct shk_record *run, const char *name)
{
  const struct shk_series *series = shk_drawn_series(run, SHK_SERIES_CROSSING);
  if (!series) {
    shk_chart_gap(chart);
    return;
  }
  shk_chart_block(chart, name, NULL, "crossings: time, value left there");
  for (int i = 0; i < series->count; i++)
    SHK_CHART_ROW(chart, series->time[i], series->mean[i]);
}

static void fill_legend(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct shk_record *const *runs, const struct shk_run_names *names)
{
  for (int i = 0; i < chart->method_count; i++) {
    const struct shk_record *const run = runs[chart->methods[i]];
    const double count = shk_recorded(&run->outcome, SHK_QUANTITY_CROSSINGS, NULL);
    struct shk_label text = shk_label_words("");
    if (isfinite(count))
      text = shk_label_print("%.0f sign changes", "%.0f sign changes", count);
    const struct shk_label label = shk_run_label(names, run, text);
    shk_chart_legend(chart, i + 1, drawing->shown[chart->methods[i]], &label);
  }
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_run_names names;
  const struct shk_record **const runs =
      shk_chart_runs(drawing, &chart, group, precision, SHK_SERIES_SINGULAR_VALUE, &names);
  if (!runs)
    return true;
  bool any = false, all = true; /* any run, all runs finished */
  for (int i = 0; i < chart.method_count; i++) {
    any = any || shk_record_finished(runs[chart.methods[i]]);
    all = all && shk_record_finished(runs[chart.methods[i]]);
  }
  struct extent singular = {0, 0, 0}, multiplier = {INFINITY, 0, 0};
  for (int part = 0; part < 3; part++)
    for (int i = 0; i < chart.method_count; i++) {
      const int m = chart.methods[i];
      const bool counts = !any || shk_record_finished(runs[m]);
      if (part == 0)
        write_series(&chart, runs[m], drawing->shown[m], SHK_SERIES_SINGULAR_VALUE, false, counts,
                     &singular);
      else if (part == 1)
        write_series(&chart, runs[m], drawing->shown[m], SHK_SERIES_MULTIPLIER, true, counts,
                     &multiplier);
      else
        write_crossings(&chart, runs[m], drawing->shown[m]);
    }
  const double room = singular.high > singular.low ? 0.06 * (singular.high - singular.low) : 1;
  const double high = multiplier.high > 0 ? multiplier.high : 1;
  shk_chart_range(&chart, 1, singular.low - room, singular.high + (all ? 1 : 4) * room);
  shk_chart_range(&chart, 2, fmax(fmin(multiplier.low, high), 1e-8 * high) / 3,
                  high * (all ? 3 : 30));
  shk_chart_set(&chart, "until", singular.until);
  shk_chart_set_label(&chart, "time", shk_time_label(drawing->groups[group].unit));
  fill_legend(drawing, &chart, runs, &names);
  free(runs);
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_regularity = {
    .measure = "regularity",
    .shows = "the signed least singular value, its crossings, and the largest multiplier along "
             "the run; needs the measure `regularity`",
    .of_precision = draw};
