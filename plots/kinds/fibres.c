/*
 * The fibres above a run of harmonic-sphere: the rate of change of H along each of them. The
 * template has the fibre and the derivative of H along it.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figure 6; in their
 * (28) only sin 2θ has the right sign.
 */
#include "foundation/specifications/spec.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/portrait.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct potential {
  double gravity, quartic;
};

/* Reads the options of the problem, given or default. Returns false if it is another problem. */
static bool read_potential(struct potential *potential, const char *problem)
{
  struct shk_message unused = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  const bool ok = spec && strcmp(spec->name, "harmonic-sphere") == 0;
  *potential = (struct potential){.gravity = 1};
  for (int i = 0; ok && i < spec->count; i++) {
    const struct shk_spec_item *item = &spec->items[i];
    if (item->option && strcmp(item->option, "gravity") == 0 && item->text)
      potential->gravity = strtod(item->text, NULL);
    else if (item->option && strcmp(item->option, "quartic") == 0 && item->text)
      potential->quartic = strtod(item->text, NULL);
  }
  shk_spec_free(spec);
  return ok;
}

/* Writes the states of a run; returns their number. */
static int write_states(struct shk_chart *chart, const struct shk_record *run, const char *name)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  int count = 0;
  shk_chart_block(chart, name, NULL, "time, q1, q2, p1, p2; %s", shk_record_status(run));
  for (int i = 0; i < run->outcome.sample_count; i++) {
    const struct shk_sample *const sample = &run->outcome.samples[i];
    double row[5] = {sample->t};
    bool whole = true;
    for (int k = 0; k < 4; k++) {
      row[k + 1] = shk_state_component(sample, axes[k]);
      whole = whole && isfinite(row[k + 1]);
    }
    if (whole)
      shk_chart_row(chart, row, 5);
    count += whole;
  }
  return count;
}

/* Draws the run of the first method. */
static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct potential potential;
  const struct shk_cell *const cell = &drawing->plan->cells[drawing->groups[group].cells[0]].cell;
  if (!read_potential(&potential, cell->problem))
    return true;
  struct shk_chart chart;
  struct shk_run_names names;
  const struct shk_record **const runs =
      shk_chart_runs(drawing, &chart, group, precision, SHK_NO_SERIES, &names);
  if (!runs)
    return true;
  const int m = chart.methods[0];
  const struct shk_label label = shk_run_label(&names, runs[m], shk_label_words(""));
  chart.method_count = 1;
  shk_chart_legend(&chart, 1, drawing->shown[m], &label);
  const int count = write_states(&chart, runs[m], drawing->shown[m]);
  shk_chart_set(&chart, "gravity", potential.gravity);
  shk_chart_set(&chart, "quartic", potential.quartic);
  shk_chart_set(&chart, "states", count);
  shk_chart_set(&chart, "until", runs[m]->outcome.reached);
  shk_chart_note(&chart, shk_label("black: H' = 0, the hidden constraint; grey: |H'| = 0.1, 0.2, …",
                                   "black: $H'=0$, the hidden constraint; grey: $|H'|=0.1$, $0.2$, "
                                   "\\dots"));
  free(runs);
  if (count > 1)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}

const struct shk_figure_kind shk_figure_kind_fibres = {
    .shows = "level lines of the derivative of H along the fibres above a run of `harmonic-sphere`",
    .only_by_name = true,
    .of_precision = draw};
