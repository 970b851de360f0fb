/* Paths of states in a plane, for the kinds that draw them. See portrait.h. */
#include "plots/kinds/kit/portrait.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>

void shk_path_clear(struct shk_path *path)
{
  free(path->times);
  free(path->x);
  free(path->y);
}

double shk_state_component(const struct shk_sample *sample, const char *axis)
{
  if (axis[0] == 't')
    return sample->t;
  const char block[2] = {axis[0], '\0'};
  const struct shk_vector *const vector = shk_sample_block(sample, block);
  return vector ? shk_vector_double(vector, atoi(axis + 1) - 1) : NAN;
}

struct shk_path shk_path_of(const struct shk_record *record, const char *const *axes)
{
  const int most = record->outcome.sample_count;
  struct shk_path path = {.times = shk_allocate((size_t)most + 1, sizeof *path.times),
                          .x = shk_allocate((size_t)most + 1, sizeof *path.x),
                          .y = shk_allocate((size_t)most + 1, sizeof *path.y)};
  for (int i = 0; i < most; i++) {
    const struct shk_sample *sample = &record->outcome.samples[i];
    path.times[path.count] = sample->t;
    path.x[path.count] = shk_state_component(sample, axes[0]);
    path.y[path.count] = shk_state_component(sample, axes[1]);
    path.count += isfinite(path.x[path.count]) && isfinite(path.y[path.count]);
  }
  path.joined = axes[0][0] == 't' || shk_path_is_close(path.x, path.y, path.count);
  return path;
}

static void write_path(struct shk_chart *chart, const struct shk_path *path, const char *name,
                       const struct shk_record *record)
{
  const struct shk_cell *cell = &record->cell;
  shk_chart_block(chart, name, NULL, "%s, %s %s: time, x, y; %s", cell->integrator,
                  cell->tolerance ? "tolerance" : "step", shk_cell_step(cell, "of its own"),
                  shk_record_status(record));
  for (int i = 0; i < path->count; i++)
    SHK_CHART_ROW(chart, path->times[i], path->x[i], path->y[i]);
}

static struct shk_label axis_label(const char *axis)
{
  if (axis[0] == 't')
    return shk_time_label("");
  return shk_label_print("{/:Italic %c}_{%s}", "$%c_{%s}$", axis[0], axis + 1);
}

bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                       const char *const *standard, bool equal)
{
  char *const *const chosen = drawing->asked ? drawing->asked->axes : NULL;
  const char *const axes[] = {chosen && chosen[0] ? chosen[0] : standard[0],
                              chosen && chosen[0] ? chosen[1] : standard[1]};
  struct shk_chart chart;
  struct shk_run_names names;
  const struct shk_record **const runs =
      shk_chart_runs(drawing, &chart, group, precision, SHK_NO_SERIES, &names);
  if (!runs)
    return true;
  struct shk_box box = shk_box_of_nothing;
  char *joined = NULL;
  bool finished = false;
  for (int i = 0; i < chart.method_count; i++)
    finished = finished || shk_record_finished(runs[chart.methods[i]]);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    struct shk_path path = shk_path_of(runs[m], axes);
    if (!finished || shk_record_finished(runs[m])) /* runs that stopped may have exploded */
      shk_box_extend(&box, path.x, path.y, path.count);
    write_path(&chart, &path, drawing->shown[m], runs[m]);
    shk_list_add(&joined, path.joined);
    shk_path_clear(&path);
  }
  shk_chart_set_list(&chart, "joined", joined);
  shk_chart_set(&chart, "along", axes[0][0] == 't');
  shk_chart_set_label(&chart, "horizontal", axis_label(axes[0]));
  shk_chart_set_label(&chart, "vertical", axis_label(axes[1]));
  shk_chart_box(&chart, box, equal);
  shk_chart_name_runs(drawing, &chart, runs, &names, "", SHK_QUANTITIES);
  free(runs);
  if (box.right >= box.left)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}
