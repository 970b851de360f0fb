/* A mechanism's run: states at a few times, several methods in one picture. */
#include "plots/canvas/motion.h"
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <stdlib.h>
#include <string.h>

static bool add_run(const struct shk_drawing *drawing, struct shk_chart *chart,
                    struct shk_motion *motion, const struct shk_record *record, const char *name)
{
  const int most = record->outcome.sample_count;
  const size_t n = record->outcome.n > 0 ? (size_t)record->outcome.n : 0;
  double *const times = shk_allocate((size_t)most + 1, sizeof *times);
  double *const q = shk_allocate((size_t)most * n + 1, sizeof *q);
  int count = 0;
  for (int i = 0; i < most; i++) {
    const struct shk_sample *const sample = &record->outcome.samples[i];
    const struct shk_vector *const block = shk_sample_block(sample, "q");
    if (!block)
      continue;
    times[count] = sample->t;
    for (size_t k = 0; k < n; k++)
      q[(size_t)count * n + k] = shk_vector_double(block, (int)k);
    count++;
  }
  const bool ok =
      shk_motion_add(motion, chart, drawing->plan->context, record->cell.problem, name,
                     shk_record_finished(record), count, times, (int)n, q, drawing->error);
  free(q);
  free(times);
  return ok;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_motion motion = {0};
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  bool ok = true;
  for (int i = 0; ok && i < chart.method_count; i++)
    ok = add_run(drawing, &chart, &motion, runs.of[chart.methods[i]],
                 drawing->shown[chart.methods[i]]);
  shk_chart_name_runs(drawing, &chart, &runs);
  shk_motion_end(&motion, &chart);
  free(runs.of);
  if (ok && drawing->directory)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_motion = {
    .shows = "a mechanism at a few times, over the path of a point",
    .only_by_name = true,
    .of_precision = draw};
