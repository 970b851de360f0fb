/* States at the sample times. See states.h. */
#include "plots/kinds/kit/states.h"
#include <math.h>
#include <stdlib.h>

bool shk_state_read(double *values, const struct shk_sample *sample, const char *const *components,
                    int count)
{
  bool whole = true;
  for (int k = 0; k < count; k++) {
    const char block[2] = {components[k][0], '\0'};
    const struct shk_vector *const vector = shk_sample_block(sample, block);
    values[k] = *block == 't' ? sample->t
                : vector      ? shk_vector_double(vector, atoi(components[k] + 1) - 1)
                              : NAN;
    whole = whole && isfinite(values[k]);
  }
  return whole;
}

int shk_states_write(struct shk_chart *chart, const struct shk_record *run, const char *name,
                     const char *const *components, int count)
{
  int states = 0;
  shk_chart_block(chart, name, "%s, %s, %s %s: time, components; %s", run->cell.problem,
                  run->cell.integrator, run->cell.tolerance ? "tolerance" : "step",
                  shk_cell_step(&run->cell, "of its own"), shk_record_status(run));
  for (int i = 0; i < run->outcome.sample_count; i++) {
    const struct shk_sample *const sample = &run->outcome.samples[i];
    double row[SHK_MOST_COMPONENTS + 1] = {sample->t};
    if (!shk_state_read(row + 1, sample, components, count))
      continue;
    shk_chart_row(chart, row, count + 1);
    states++;
  }
  return states;
}

static void name_axis(struct shk_chart *chart, const char *setting, const char *axis)
{
  if (axis[0] == 't')
    shk_chart_words(chart, setting, "time {/:Italic t}", "time $t$");
  else
    shk_chart_words(chart, setting, shk_phrase("{/:Italic %c}_{%s}", axis[0], axis + 1).text,
                    shk_phrase("$%c_{%s}$", axis[0], axis + 1).text);
}

bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                       const char *const *standard, bool equal)
{
  char *const *const chosen = drawing->asked ? drawing->asked->axes : NULL;
  const char *const axes[] = {chosen && chosen[0] ? chosen[0] : standard[0],
                              chosen && chosen[0] ? chosen[1] : standard[1]};
  struct shk_chart chart;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  int states = 0;
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const int count = shk_states_write(&chart, runs.of[m], drawing->shown[m], axes, 2);
    /* A run that stopped may have exploded. */
    const bool counts = count > 0 && (!runs.any_finished || shk_record_finished(runs.of[m]));
    shk_chart_list(&chart, "counts", 0, counts);
    states += count;
  }
  shk_chart_set(&chart, "along", axes[0][0] == 't');
  shk_chart_set(&chart, "equal", equal);
  name_axis(&chart, "horizontal", axes[0]);
  name_axis(&chart, "vertical", axes[1]);
  shk_chart_name_runs(drawing, &chart, &runs);
  free(runs.of);
  if (states > 0)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}
