/*
 * The reduced motion of momentum constraints on a sphere: runs of harmonic-sphere, all its starts
 * in one panel. The template has Hopf's map.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), (21) and Figure 4.
 * The pole is chosen so that the start za has the innermost path, as they state; with -ρ in the
 * denominator, as printed there, it has the outermost.
 */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/states.h"
#include <stdlib.h>

static bool draw_precision(struct shk_drawing *drawing, const char *precision)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  struct shk_chart chart;
  int starts = 0;
  struct shk_runs last = {.of = NULL};
  shk_drawing_chart_of_study(drawing, &chart, precision);
  for (int m = 0; m < drawing->method_count; m++)
    shk_chart_method(&chart, m, drawing->styles[m]);
  for (int g = 0; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used ||
        !shk_same_problem(drawing->groups[g].problem, "harmonic-sphere"))
      continue;
    struct shk_runs runs = shk_drawing_runs(drawing, g, precision, SHK_NO_SERIES);
    for (int m = 0, named = 0; runs.count > 0 && m < drawing->method_count; m++)
      if (runs.of[m]) {
        if (!named++)
          shk_chart_list(&chart, "numbered", 0, chart.block_count);
        shk_states_write(&chart, runs.of[m], drawing->shown[m], axes, 4);
      } else {
        shk_chart_gap(&chart);
      }
    if (runs.count > 0)
      shk_chart_head(&chart, "%d: %s; ", ++starts, drawing->groups[g].shown);
    free(runs.count > 0 ? last.of : runs.of);
    last = runs.count > 0 ? runs : last;
  }
  shk_chart_head(&chart, "%s", precision);
  for (int m = 0; m < drawing->method_count && last.of; m++)
    if (last.of[m])
      shk_chart_name_run(drawing, &chart, &last, m, "");
  free(last.of);
  shk_chart_set(&chart, "starts", starts);
  if (starts > 0)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}

static bool draw(struct shk_drawing *drawing)
{
  for (int i = 0; shk_drawn_precisions[i]; i++)
    if (!draw_precision(drawing, shk_drawn_precisions[i]))
      return false;
  return true;
}

const struct shk_figure_kind shk_figure_kind_hopf = {
    .shows = "paths of `harmonic-sphere` on the sphere of fibres",
    .only_by_name = true,
    .of_study = draw};
