/*
 * The growth of round-off: the energy of the double run, or of the single one in a figure of its own,
 * minus that of the quad run of the same map, from which all that the method itself does cancels,
 * against time. Of problems of one name, which differ in where they start, the root of the mean square
 * is drawn, over the starts and over times up to a quarter later: one run of a random walk tells
 * nothing, and it oscillates. Grey lines have the slopes of a random walk (Brouwer's law) and of a
 * drift.
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

/* Whether two series have the same intervals; the last digits of times depend on the precision, the
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

static void add_method(const struct shk_drawing *drawing, struct shk_figure *figure,
                       struct shk_panel *panel, const struct growth *growth, int method,
                       struct shk_extent *times, struct shk_extent *sizes)
{
  const int index = shk_figure_block(figure, "%s, %d starts: time, root of the mean square",
                                     drawing->methods[method], growth->starts);
  int rows = 0;
  for (int from = 0, to; from < growth->count; from = to, rows++) {
    double squares = growth->squares[from];
    for (to = from + 1; to < growth->count && growth->time[to] <= 1.25 * growth->time[from]; to++)
      squares += growth->squares[to];
    const double row[] = {sqrt(growth->time[from] * growth->time[to - 1]),
                          sqrt(squares / (to - from) / growth->starts)};
    shk_figure_row(figure, row, 2);
    shk_extent_add(times, row[0]);
    shk_extent_add(sizes, row[1]);
  }
  const int every = rows > 6 ? rows / 6 : 1;
  shk_panel_layer(panel, "index %d using 1:($2>0?$2:NaN) with lines linestyle %d", index,
                  method + 1);
  shk_panel_layer(panel, "index %d every %d using 1:($2>0?$2:NaN) with points linestyle %d", index,
                  every, method + 1);
  shk_key_method(figure, method);
  shk_key_value(figure, 0, shk_label_print("%d", "%d", growth->starts));
}

/* Lines of the two slopes, above and below all curves, from a tenth of the time to its end. */
static void add_guides(struct shk_figure *figure, struct shk_panel *panel,
                       const struct shk_extent *times, const struct shk_extent *sizes)
{
  const struct {
    double slope, at;
    struct shk_label label;
  } guides[] = {{0.5, 0.25 * sizes->low, shk_label("{/:Italic t}^{1/2}", "$t^{1/2}$")},
                {1, 0.25 * sizes->low, shk_label("{/:Italic t}", "$t$")}};
  const double middle = sqrt(times->low * times->high);
  for (int i = 0; i < 2; i++) {
    const double left = i == 0 ? times->low : middle,
                 right = i == 0 ? 0.5 * middle : 0.6 * times->high;
    const double half = sqrt(right / left);
    const int index = shk_figure_block(figure, "slope %g", guides[i].slope);
    fprintf(figure->data, "%.6g\t%.6g\n%.6g\t%.6g\n", left,
            guides[i].at / pow(half, guides[i].slope), right,
            guides[i].at * pow(half, guides[i].slope));
    shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 1 linecolor rgb '#808080'",
                    index);
    shk_panel_mark(panel, 1.08 * right, guides[i].at * pow(half, guides[i].slope), guides[i].label);
  }
}

/* The figure of a precision, double for one. */
static bool draw_precision(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  struct growth *const growths = shk_allocate((size_t)drawing->method_count + 1, sizeof *growths);
  gather(growths, drawing, group, precision);
  struct shk_extent times = shk_extent_of_nothing, sizes = shk_extent_of_nothing;
  bool ok = true;
  int starts = 0;
  for (int m = 0; m < drawing->method_count; m++)
    starts += growths[m].starts;
  if (starts > 0) {
    struct shk_figure figure;
    const int length = (int)strcspn(problem, "( ");
    char *const text = strcmp(precision, "double") == 0
                           ? shk_print_text("%.*s", length, problem)
                           : shk_print_text("%.*s, %s", length, problem, precision);
    shk_drawing_begin_part(drawing, &figure, "growth of round-off", text, 1, 1);
    free(text);
    struct shk_panel *const panel = shk_figure_panel(&figure, 0, 0);
    shk_key_head(&figure, 0, shk_label_words("starts"));
    for (int m = 0; m < drawing->method_count; m++)
      if (growths[m].starts > 0)
        add_method(drawing, &figure, panel, &growths[m], m, &times, &sizes);
    if (sizes.high > 0) {
      add_guides(&figure, panel, &times, &sizes);
      shk_axis_range(&panel->x, times.low, times.high, 1.2);
      shk_axis_range(&panel->y, 0.02 * sizes.low, sizes.high, 2);
    }
    panel->x.label = shk_time_label(drawing->groups[group].unit);
    snprintf(panel->y.label.plain, sizeof panel->y.label.plain, "{/:Italic H} of %s − quad",
             precision);
    snprintf(panel->y.label.latex, sizeof panel->y.label.latex, "$H$ of %s $-$ quad", precision);
    shk_key_note(&figure, "root of the mean square over the starts and a quarter of the time");
    ok = shk_drawing_finish(drawing, &figure);
  }
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
    .shows =
        "how round-off grows: the energy in double, or single, minus that in quad along the run, "
        "over all starts of a problem, with the slopes of a random walk and of a drift",
    .only_by_name = true,
    .measure = "energy",
    .of_group = draw};
