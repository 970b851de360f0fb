/* Paths of states through a plane, for the kinds that draw them. See portrait.h. */
#include "plots/kinds/kit/portrait.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>

enum { MARKS_ALONG = 6 };

void shk_path_clear(struct shk_path *path)
{
  free(path->times);
  free(path->x);
  free(path->y);
}

double shk_state_component(const struct shk_sample *sample, const char *axis)
{
  const char block[2] = {axis[0], '\0'};
  const struct shk_vector *const vector = shk_sample_block(sample, block);
  return vector ? shk_vector_double(vector, atoi(axis + 1) - 1) : NAN;
}

struct shk_path shk_path_of(const struct shk_record *record,
                            void (*place)(double *x, double *y, const struct shk_sample *sample,
                                          const char *const *axes),
                            const char *const *axes)
{
  const int most = record->outcome.sample_count;
  struct shk_path path = {.times = shk_allocate((size_t)most + 1, sizeof *path.times),
                          .x = shk_allocate((size_t)most + 1, sizeof *path.x),
                          .y = shk_allocate((size_t)most + 1, sizeof *path.y)};
  for (int i = 0; i < most; i++) {
    const struct shk_sample *sample = &record->outcome.samples[i];
    path.times[path.count] = sample->t;
    place(&path.x[path.count], &path.y[path.count], sample, axes);
    path.count += isfinite(path.x[path.count]) && isfinite(path.y[path.count]);
  }
  path.joined = shk_path_is_close(path.x, path.y, path.count);
  return path;
}

int shk_path_write(struct shk_figure *figure, const struct shk_path *path,
                   const struct shk_record *record)
{
  const struct shk_cell *cell = &record->cell;
  const int index = shk_figure_block(figure, "%s, %s, %s %s: time, x, y; %s", cell->problem,
                                     cell->integrator, cell->tolerance ? "tolerance" : "step",
                                     shk_cell_step(cell, "of its own"), shk_record_status(record));
  for (int i = 0; i < path->count; i++)
    fprintf(figure->data, "%.9g\t%.9g\t%.9g\n", path->times[i], path->x[i], path->y[i]);
  return index;
}

void shk_path_add(struct shk_panel *panel, const struct shk_path *path, int index, int method,
                  int methods)
{
  if (path->joined) {
    const int every = path->count > MARKS_ALONG ? path->count / MARKS_ALONG : 1;
    shk_panel_layer(panel, "index %d using 2:3 with lines linestyle %d", index, method + 1);
    shk_panel_layer(panel, "index %d every %d::%d using 2:3 with points linestyle %d", index, every,
                    (int)((method + 0.5) * every / methods), method + 1);
  } else {
    shk_panel_layer(panel, "index %d using 2:3 with points linestyle %d pointsize %.2f", index,
                    method + 1, 0.15 + 0.45 * (methods - method) / methods);
  }
}

static void coordinates(double *x, double *y, const struct shk_sample *sample,
                        const char *const *axes)
{
  *x = shk_state_component(sample, axes[0]);
  *y = shk_state_component(sample, axes[1]);
}

static struct shk_label axis_label(const char *axis)
{
  return shk_label_print("{/:Italic %c}_{%s}", "$%c_{%s}$", axis[0], axis + 1);
}

bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                       const char *const *standard, bool equal)
{
  char *const *const chosen = drawing->asked ? drawing->asked->axes : NULL;
  const char *const axes[] = {chosen && chosen[0] ? chosen[0] : standard[0],
                              chosen && chosen[0] ? chosen[1] : standard[1]};
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  struct shk_path *const paths = shk_allocate((size_t)drawing->method_count + 1, sizeof *paths);
  struct shk_box box = shk_box_of_nothing;
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m]) {
      paths[m] = shk_path_of(runs[m], coordinates, axes);
      shk_box_extend(&box, paths[m].x, paths[m].y, paths[m].count);
    }
  bool ok = true;
  if (box.right >= box.left) {
    struct shk_figure figure;
    shk_drawing_begin(drawing, &figure, group, NULL, precision, 1, 1);
    struct shk_panel *panel = shk_figure_panel(&figure, 0, 0);
    const struct shk_key_runs key = shk_key_of_runs(&figure, runs, drawing->method_count);
    for (int m = 0; m < drawing->method_count; m++)
      if (runs[m] && paths[m].count > 0) {
        const int index = shk_path_write(&figure, &paths[m], runs[m]);
        shk_path_add(panel, &paths[m], index, m, drawing->method_count);
        shk_key_run(&figure, &key, drawing, m, runs[m]);
      }
    panel->x.label = axis_label(axes[0]);
    panel->y.label = axis_label(axes[1]);
    shk_panel_ranges(&figure, panel, box, equal);
    ok = shk_drawing_finish(drawing, &figure);
  }
  for (int m = 0; m < drawing->method_count; m++)
    shk_path_clear(&paths[m]);
  free(paths);
  free(runs);
  return ok;
}
