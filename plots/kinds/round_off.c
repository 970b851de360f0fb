/*
 * The growth of round-off: the energy of the double run, or of the single one in a figure of its
 * own, minus that of the quad run, against time. The error of the method itself cancels in the
 * difference. Problems of one name that differ in their starts are combined as the root of the mean
 * square over the starts and over times within a quarter: a single random walk is not
 * conclusive, and it oscillates. Grey lines have the slopes of a random walk (Brouwer's law) and of
 * a drift.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the squares of the differences of two runs and their number, at the middles of intervals of
 * the logarithm of time. Returns false if the runs do not have the same intervals. The last digits
 * of times depend on the precision, the seventh in single. */
static bool add_start(struct shk_curves *curves, int method, const struct shk_record *low,
                      const struct shk_record *in_quad)
{
  const double width = log(1.25);
  const struct shk_series *const a = shk_drawn_series(low, SHK_SERIES_ENERGY_ERROR),
                                 *const b = shk_drawn_series(in_quad, SHK_SERIES_ENERGY_ERROR);
  bool same = a && b && a->count == b->count &&
              strcmp(shk_cell_step(&low->cell, ""), shk_cell_step(&in_quad->cell, "")) == 0;
  for (int i = 0; same && i < a->count; i++)
    same = fabs(a->time[i] - b->time[i]) <= 1e-6 * fabs(a->time[i]);
  for (int i = 0; same && i < a->count; i++) {
    const double middle = exp(width * (floor(log(a->time[i]) / width) + 0.5)),
                 difference = a->mean[i] - b->mean[i];
    double *const y = shk_curves_at(curves, 0, method, middle)->y;
    y[1] = isnan(y[1]) ? 1 : y[1] + 1;
    y[2] = (isnan(y[2]) ? 0 : y[2]) + difference * difference;
    y[0] = sqrt(y[2] / y[1]);
  }
  return same;
}

/* Adds all starts of a problem; counts them by method. */
static void gather(struct shk_curves *curves, int *starts, const struct shk_drawing *drawing,
                   int first, const char *precision)
{
  for (int g = first; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used ||
        !shk_same_problem(drawing->groups[g].problem, drawing->groups[first].problem))
      continue;
    struct shk_runs low = shk_drawing_runs(drawing, g, precision, SHK_SERIES_ENERGY_ERROR),
                    in_quad = shk_drawing_runs(drawing, g, "quad", SHK_SERIES_ENERGY_ERROR);
    for (int m = 0; m < drawing->method_count; m++)
      starts[m] += low.of[m] && in_quad.of[m] && add_start(curves, m, low.of[m], in_quad.of[m]);
    free(low.of);
    free(in_quad.of);
    shk_drawing_put_back(drawing);
  }
}

static bool draw_precision(struct shk_drawing *drawing, int group, const char *precision)
{
  int *const starts = shk_allocate((size_t)drawing->method_count + 1, sizeof *starts);
  struct shk_curves curves = {0};
  bool ok = true;
  gather(&curves, starts, drawing, group, precision);
  if (curves.count > 0) {
    const char *const problem = drawing->groups[group].problem;
    const bool standard = strcmp(precision, "double") == 0;
    char *const text = shk_print_text("%.*s%s%s", (int)strcspn(problem, "( "), problem,
                                      standard ? "" : ", ", standard ? "" : precision);
    struct shk_chart chart;
    shk_drawing_chart_of_part(drawing, &chart, "growth of round-off", text);
    free(text);
    for (int m = 0; m < drawing->method_count; m++)
      if (starts[m] > 0)
        shk_drawing_add(drawing, &chart, m, shk_phrase("%d starts", starts[m]).text);
    shk_curves_write(&curves, drawing, &chart, 1, NULL, 1, "time, root of the mean square");
    shk_chart_words(&chart, "precision", precision, precision);
    shk_chart_words(&chart, "unit", drawing->groups[group].unit, drawing->groups[group].unit);
    shk_chart_note(&chart, "root of the mean square over starts and times");
    ok = shk_drawing_draw(drawing, &chart);
  }
  free(starts);
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
