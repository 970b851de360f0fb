/*
 * The fibres above a run of harmonic-sphere: the rate of change of H along each of them. The
 * template has the fibre and the derivative of H along it.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figure 6; in their
 * (28) only sin 2θ has the right sign.
 */
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/states.h"
#include <stdlib.h>
#include <string.h>

/* Sets the options of the potential, given or default. */
static void set_potential(struct shk_chart *chart, const char *problem)
{
  static const char *const names[] = {"gravity", "quartic"};
  struct shk_message unused = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  for (int k = 0; k < 2; k++) {
    double value = k == 0 ? 1 : 0;
    for (int i = 0; spec && i < spec->count; i++)
      if (shk_same_text(spec->items[i].option, names[k]) && spec->items[i].text)
        value = strtod(spec->items[i].text, NULL);
    shk_chart_set(chart, names[k], value);
  }
  shk_spec_free(spec);
}

/* Draws the run of the first method. */
static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  if (!shk_same_problem(drawing->groups[group].problem, "harmonic-sphere"))
    return true;
  struct shk_chart chart;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  const int m = chart.methods[0];
  chart.method_count = 1;
  shk_chart_name_run(drawing, &chart, &runs, m, "");
  const int count = shk_states_write(&chart, runs.of[m], drawing->shown[m], axes, 4);
  set_potential(&chart, runs.of[m]->cell.problem);
  shk_chart_set(&chart, "states", count);
  shk_chart_note(&chart, "black: H' = 0, the hidden constraint; grey: |H'| = 0.1, 0.2, …");
  free(runs.of);
  if (count > 1)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}

const struct shk_figure_kind shk_figure_kind_fibres = {
    .shows = "level lines of the derivative of H along the fibres above a run of `harmonic-sphere`",
    .only_by_name = true,
    .of_precision = draw};
