/* A mechanism in motion: the runs of a group, several methods in one picture (plots/motion/). */
#include "plots/motion/motion.h"
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <stdlib.h>
#include <string.h>

static bool add_run(const struct shk_context *context, struct shk_motion *motion,
                    const struct shk_record *record, int method, struct shk_message *error)
{
  const int most = record->outcome.sample_count;
  double *const times = shk_allocate((size_t)most + 1, sizeof *times);
  const size_t n = record->outcome.n > 0 ? (size_t)record->outcome.n : 0;
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
  if (count == 0 && most > 0)
    shk_message_set(error, "motion: %s: its records hold no states", record->cell.problem);
  const bool finished = shk_record_finished(record);
  const bool ok = count > 0 && shk_motion_add(context, motion, record->cell.problem, method,
                                              finished, count, times, (int)n, q, error);
  free(q);
  free(times);
  return ok;
}

/* The types that are wanted, and SVG, without which nothing moves. */
static void list_types(const char **types, size_t room, const char *const *wanted)
{
  size_t count = 0;
  bool moves = false;
  for (; wanted[count] && count + 2 < room; count++) {
    types[count] = wanted[count];
    moves = moves || strcmp(wanted[count], "svg") == 0;
  }
  if (!moves)
    types[count++] = "svg";
  types[count] = NULL;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  struct shk_motion motion = {.time_unit =
                                  strcmp(drawing->groups[group].unit, " (s)") == 0 ? " s" : ""};
  bool ok = true;
  for (int m = 0; ok && m < drawing->method_count; m++)
    if (runs[m])
      ok = add_run(drawing->plan->context, &motion, runs[m], m, drawing->error);
  if (ok && motion.run_count > 0 && drawing->directory &&
      shk_motion_choose_frames(&motion, drawing->error)) {
    struct shk_figure figure;
    shk_drawing_begin(drawing, &figure, group, NULL, precision, 1, 1);
    const struct shk_key_runs key = shk_key_of_runs(&figure, runs, drawing->method_count);
    for (int r = 0; r < motion.run_count; r++)
      shk_key_run(&figure, &key, drawing, motion.runs[r].method, runs[motion.runs[r].method]);
    const char *types[16];
    list_types(types, sizeof types / sizeof *types, drawing->types);
    ok = shk_motion_draw(&motion, &figure, drawing->directory, types, drawing->error);
    drawing->drawn += ok;
  } else {
    ok = ok && (motion.run_count == 0 || !drawing->directory);
  }
  shk_motion_clear(&motion);
  free(runs);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_motion = {
    .shows = "a mechanism's run: states at a few times, and an SVG in which it [moves](#motion)",
    .only_by_name = true,
    .of_precision = draw};
