/*
 * The growth of round-off: the energy of the double run, or of the single one in a figure of its
 * own, minus that of the quad run, against time. The error of the method itself cancels in the
 * difference. Problems of one name that differ in their starts are combined as the root of the mean
 * square over the starts and over times up to a quarter later: a single random walk is not
 * conclusive, and it oscillates. Grey lines have the slopes of a random walk (Brouwer's law) and of
 * a drift.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sum of squares of a method's differences, by interval. */
struct growth {
  int starts, count;
  double *time, *squares;
};

/* True if two series have the same intervals. The last digits of times depend on the precision, the
 * seventh in single. */
static bool same_times(const struct shk_series *series, const double *time, int count)
{
  bool same = series && series->count == count;
  for (int i = 0; same && i < count; i++)
    same = fabs(series->time[i] - time[i]) <= 1e-6 * fabs(time[i]);
  return same;
}

static void add_start(struct growth *growth, const struct shk_record *low,
                      const struct shk_record *in_quad)
{
  const struct shk_series *const a = shk_drawn_series(low, SHK_SERIES_ENERGY_ERROR),
                                 *const b = shk_drawn_series(in_quad, SHK_SERIES_ENERGY_ERROR);
  if (!a || !same_times(b, a->time, a->count) ||
      strcmp(shk_cell_step(&low->cell, ""), shk_cell_step(&in_quad->cell, "")) != 0)
    return;
  if (growth->starts == 0) {
    growth->count = a->count;
    growth->time = shk_allocate((size_t)a->count + 1, sizeof *growth->time);
    growth->squares = shk_allocate((size_t)a->count + 1, sizeof *growth->squares);
    memcpy(growth->time, a->time, (size_t)a->count * sizeof *a->time);
  }
  if (!same_times(a, growth->time, growth->count))
    return;
  for (int i = 0; i < a->count; i++)
    growth->squares[i] += (a->mean[i] - b->mean[i]) * (a->mean[i] - b->mean[i]);
  growth->starts++;
}

static void gather(struct growth *growths, const struct shk_drawing *drawing, int first,
                   const char *precision)
{
  const char *const problem = drawing->groups[first].problem;
  for (int g = first; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used || !shk_same_problem(drawing->groups[g].problem, problem))
      continue;
    int count;
    const struct shk_record **const low =
        shk_drawing_runs(drawing, g, precision, SHK_SERIES_ENERGY_ERROR, &count);
    const struct shk_record **const in_quad =
        shk_drawing_runs(drawing, g, "quad", SHK_SERIES_ENERGY_ERROR, &count);
    for (int m = 0; m < drawing->method_count; m++)
      if (low[m] && in_quad[m])
        add_start(&growths[m], low[m], in_quad[m]);
    free(low);
    free(in_quad);
    shk_drawing_put_back(drawing);
  }
}

static void add_method(const struct shk_drawing *drawing, struct shk_chart *chart,
                       const struct growth *growth, int method, struct shk_extent *times,
                       struct shk_extent *sizes)
{
  const struct shk_label label = shk_label_print("%d starts", "%d starts", growth->starts);
  shk_chart_method(chart, method, drawing->styles[method]);
  shk_chart_legend(chart, chart->method_count, drawing->shown[method], &label);
  shk_chart_block(chart, drawing->shown[method], NULL, "%d starts: time, root of the mean square",
                  growth->starts);
  for (int from = 0, to; from < growth->count; from = to) {
    double squares = growth->squares[from];
    for (to = from + 1; to < growth->count && growth->time[to] <= 1.25 * growth->time[from]; to++)
      squares += growth->squares[to];
    const double time = sqrt(growth->time[from] * growth->time[to - 1]),
                 size = sqrt(squares / (to - from) / growth->starts);
    SHK_CHART_ROW(chart, time, size);
    shk_extent_add(times, time);
    shk_extent_add(sizes, size);
  }
}

static bool draw_growths(struct shk_drawing *drawing, const struct growth *growths, int group,
                         const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  struct shk_extent times = shk_extent_of_nothing, sizes = shk_extent_of_nothing;
  struct shk_chart chart;
  char *const text = shk_print_text("%.*s%s%s", (int)strcspn(problem, "( "), problem,
                                    strcmp(precision, "double") == 0 ? "" : ", ",
                                    strcmp(precision, "double") == 0 ? "" : precision);
  shk_drawing_chart_of_part(drawing, &chart, "growth of round-off", text);
  free(text);
  for (int m = 0; m < drawing->method_count; m++)
    if (growths[m].starts > 0)
      add_method(drawing, &chart, &growths[m], m, &times, &sizes);
  shk_chart_range(&chart, 1, times.high > 0 ? times.low : 1, times.high > 0 ? times.high : 10);
  shk_chart_range(&chart, 2, sizes.high > 0 ? sizes.low : 1e-17,
                  sizes.high > 0 ? sizes.high : 1e-15);
  shk_chart_set_label(&chart, "precision", shk_label_words(precision));
  shk_chart_set_label(&chart, "time", shk_time_label(drawing->groups[group].unit));
  shk_chart_note(&chart, shk_label_words("root of the mean square over starts and times"));
  return shk_drawing_draw(drawing, &chart);
}

/* Draws the figure of a precision, double for one. */
static bool draw_precision(struct shk_drawing *drawing, int group, const char *precision)
{
  struct growth *const growths = shk_allocate((size_t)drawing->method_count + 1, sizeof *growths);
  gather(growths, drawing, group, precision);
  int starts = 0;
  for (int m = 0; m < drawing->method_count; m++)
    starts += growths[m].starts;
  const bool ok = starts == 0 || draw_growths(drawing, growths, group, precision);
  for (int m = 0; m < drawing->method_count; m++) {
    free(growths[m].time);
    free(growths[m].squares);
  }
  free(growths);
  return ok;
}

static bool draw(struct shk_drawing *drawing, int group)
{
  for (int g = 0; g < group; g++)
    if (drawing->groups[g].used &&
        shk_same_problem(drawing->groups[g].problem, drawing->groups[group].problem))
      return true;
  return draw_precision(drawing, group, "double") && draw_precision(drawing, group, "single");
}

const struct shk_figure_kind shk_figure_kind_round_off = {
    .shows = "growth of round-off: the energy in double or single minus that in quad, over all "
             "starts, with the slopes of a random walk and a drift",
    .only_by_name = true,
    .measure = "energy",
    .of_group = draw};
