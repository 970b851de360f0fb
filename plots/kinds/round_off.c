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

/* Returns the number of starts of all methods. */
static int gather(struct growth *growths, const struct shk_drawing *drawing, int first,
                  const char *precision)
{
  int starts = 0;
  for (int g = first; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used ||
        !shk_same_problem(drawing->groups[g].problem, drawing->groups[first].problem))
      continue;
    struct shk_runs low = shk_drawing_runs(drawing, g, precision, SHK_SERIES_ENERGY_ERROR),
                    in_quad = shk_drawing_runs(drawing, g, "quad", SHK_SERIES_ENERGY_ERROR);
    for (int m = 0; m < drawing->method_count; m++)
      if (low.of[m] && in_quad.of[m]) {
        add_start(&growths[m], low.of[m], in_quad.of[m]);
        starts += growths[m].starts;
      }
    free(low.of);
    free(in_quad.of);
    shk_drawing_put_back(drawing);
  }
  return starts;
}

static void write_growth(struct shk_chart *chart, const struct growth *growth, const char *name)
{
  shk_chart_block(chart, name, "%d starts: time, root of the mean square", growth->starts);
  for (int from = 0, to; from < growth->count; from = to) {
    double squares = growth->squares[from];
    for (to = from + 1; to < growth->count && growth->time[to] <= 1.25 * growth->time[from]; to++)
      squares += growth->squares[to];
    SHK_CHART_ROW(chart, sqrt(growth->time[from] * growth->time[to - 1]),
                  sqrt(squares / (to - from) / growth->starts));
  }
}

/* Draws the figure of a precision. */
static bool draw_precision(struct shk_drawing *drawing, int group, const char *precision)
{
  struct growth *const growths = shk_allocate((size_t)drawing->method_count + 1, sizeof *growths);
  bool ok = true;
  if (gather(growths, drawing, group, precision) > 0) {
    const char *const problem = drawing->groups[group].problem;
    const bool standard = strcmp(precision, "double") == 0;
    char *const text = shk_print_text("%.*s%s%s", (int)strcspn(problem, "( "), problem,
                                      standard ? "" : ", ", standard ? "" : precision);
    struct shk_chart chart;
    shk_drawing_chart_of_part(drawing, &chart, "growth of round-off", text);
    free(text);
    for (int m = 0; m < drawing->method_count; m++)
      if (growths[m].starts > 0) {
        shk_drawing_add(drawing, &chart, m, shk_phrase("%d starts", growths[m].starts).text);
        write_growth(&chart, &growths[m], drawing->shown[m]);
      }
    shk_chart_words(&chart, "precision", precision, precision);
    shk_chart_words(&chart, "unit", drawing->groups[group].unit, drawing->groups[group].unit);
    shk_chart_note(&chart, "root of the mean square over starts and times");
    ok = shk_drawing_draw(drawing, &chart);
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
  return !shk_drawing_is_first(drawing, group) ||
         (draw_precision(drawing, group, "double") && draw_precision(drawing, group, "single"));
}

const struct shk_figure_kind shk_figure_kind_round_off = {
    .shows = "growth of round-off: the energy in double or single minus that in quad, over all "
             "starts, with the slopes of a random walk and a drift",
    .only_by_name = true,
    .measure = "energy",
    .of_group = draw};
