/*
 * A mechanism in motion. See motion.h. A place in the plane is x and y. Space is shown in parallel
 * projection, with right-handed axes (a, b, c), c drawn upwards, seen from the azimuth A = 30°,
 * from a towards b, and the elevation E = 20°,
 *
 *     x = b cos A - a sin A,     y = c cos E - (a cos A + b sin A) sin E.
 */
#include "plots/canvas/motion.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 60000, MOST_STATES = 400, LINE = 0, SPRING = 1, POINT = 2 };

struct place {
  double x, y;
};

static struct place project(const struct shk_scene *scene, const double *r)
{
  static const double cos_a = 0.86602540378443864676, sin_a = 0.5, cos_e = 0.93969262078590838405,
                      sin_e = 0.34202014332566873304;
  if (scene->dimension == 2)
    return (struct place){r[0], r[1]};
  const double a = r[(scene->up + 1) % 3], b = r[(scene->up + 2) % 3], c = r[scene->up];
  return (struct place){b * cos_a - a * sin_a, c * cos_e - (a * cos_a + b * sin_a) * sin_e};
}

/* Place of a point in a state; a negative number denotes a fixed point. */
static struct place place_of(const struct shk_scene *scene, int state, int point)
{
  const size_t each = (size_t)scene->dimension, points = (size_t)scene->point_count;
  const double *const from =
      point < 0 ? scene->fixed + (size_t)(-1 - point) * each
                : scene->positions + ((size_t)state * points + (size_t)point) * each;
  return project(scene, from);
}

static void write_places(struct shk_chart *chart, const struct shk_scene *scene, const char *what,
                         const double *from, int count, struct shk_box *box)
{
  shk_chart_block(chart, what, NULL, "%s: x, y", what);
  for (int i = 0; i < count; i++) {
    const struct place at = project(scene, from + i * scene->dimension);
    SHK_CHART_ROW(chart, at.x, at.y);
    shk_box_extend(box, &at.x, &at.y, 1);
  }
}

/* Writes the path of the tracer. Returns whether its points are close enough for a line. */
static bool write_path(struct shk_chart *chart, const struct shk_scene *scene, const char *name,
                       const double *times)
{
  const size_t count = (size_t)scene->state_count;
  double *const x = shk_allocate(2 * count + 1, sizeof *x), *const y = x + count;
  shk_chart_block(chart, name, NULL, "path: time, x, y");
  for (int i = 0; i < scene->state_count; i++) {
    const struct place at = place_of(scene, i, scene->tracer);
    x[i] = at.x;
    y[i] = at.y;
    SHK_CHART_ROW(chart, times[i], at.x, at.y);
  }
  const bool joined = shk_path_is_close(x, y, scene->state_count);
  free(x);
  return joined;
}

static void write_state(struct shk_chart *chart, const struct shk_scene *scene, int state,
                        double time)
{
  for (int i = 0; i < scene->line_count; i++) {
    const double *const line = scene->lines + 3 * i;
    const struct place a = place_of(scene, state, (int)line[0]),
                       b = place_of(scene, state, (int)line[1]);
    SHK_CHART_ROW(chart, time, a.x, a.y, b.x - a.x, b.y - a.y, line[2] != 0 ? SPRING : LINE);
  }
  for (int i = 0; i < scene->dot_count; i++) {
    const struct place at = place_of(scene, state, i);
    SHK_CHART_ROW(chart, time, at.x, at.y, 0, 0, POINT);
  }
}

/* Writes a selection of states, which limits the size of the file; returns their number. */
static int write_states(struct shk_chart *chart, const struct shk_scene *scene, const char *name,
                        const double *times, double *kept)
{
  const int parts = scene->line_count + scene->dot_count;
  const int most = MOST_ROWS / parts < MOST_STATES ? MOST_ROWS / parts : MOST_STATES;
  const int each = (scene->state_count + most - 1) / (most > 1 ? most : 1);
  int count = 0;
  shk_chart_block(chart, name, NULL,
                  "states: time, x, y, dx, dy, 0 a line, 1 a spring, 2 a point; a blank line after "
                  "each");
  for (int i = 0; i < scene->state_count; i++) {
    if (i % each != 0 && i + 1 < scene->state_count)
      continue;
    if (count > 0)
      putc('\n', chart->data);
    write_state(chart, scene, i, times[i]);
    kept[count++] = times[i];
  }
  return count;
}

static void extend_box(struct shk_box *box, const struct shk_scene *scene)
{
  for (int i = 0; i < scene->state_count; i++)
    for (int k = 0; k < scene->point_count; k++) {
      const struct place at = place_of(scene, i, k);
      if (isfinite(at.x) && isfinite(at.y))
        shk_box_extend(box, &at.x, &at.y, 1);
    }
}

/* Fixed curves and points precede the first run. A run that stopped early extends the box only if
 * it is the first. */
bool shk_motion_add(struct shk_motion *motion, struct shk_chart *chart,
                    const struct shk_context *context, const char *problem, const char *name,
                    bool finished, int count, const double *times, int n, const double *q,
                    struct shk_message *error)
{
  struct shk_scene scene;
  struct shk_message why = {.text = ""};
  const bool first = !motion->states;
  const bool ok = shk_scene_of(context, &scene, problem, count, times, n, q, &why) && count > 1;
  if (!ok)
    shk_message_set(error, "motion: %s %s", problem,
                    why.text[0] ? why.text : "has fewer than two states to show");
  if (ok && first) {
    motion->box = shk_box_of_nothing;
    write_places(chart, &scene, "what stays", scene.curve, scene.curve_count, &motion->box);
    write_places(chart, &scene, "fixed points", scene.fixed, scene.fixed_count, &motion->box);
    shk_chart_set(chart, "space", scene.dimension == 3);
  }
  if (ok) {
    double *const kept = shk_allocate((size_t)count + 1, sizeof *kept);
    if (finished || first)
      extend_box(&motion->box, &scene);
    shk_list_add(&motion->joined, write_path(chart, &scene, name, times));
    const int states = write_states(chart, &scene, name, times, kept);
    shk_list_add(&motion->states, states);
    if (states > motion->last) {
      free(motion->times);
      motion->times = kept;
      motion->last = states;
    } else {
      free(kept);
    }
  }
  shk_scene_clear(&scene);
  return ok;
}

void shk_motion_end(struct shk_motion *motion, struct shk_chart *chart)
{
  enum { STILLS = 5 };
  const int stills = motion->last < STILLS ? motion->last : STILLS;
  char *text = NULL;
  for (int s = 0; s < stills; s++)
    shk_append_text(&text, "%s%.3g", s > 0 ? ", " : "",
                    motion->times[stills > 1 ? s * (motion->last - 1) / (stills - 1) : 0]);
  shk_chart_note(chart, shk_label_print("states, light to dark, at t0 + %s",
                                        "states, light to dark, at $t_0$ + %s", text ? text : ""));
  shk_chart_set(chart, "stills", stills);
  shk_chart_set(chart, "last", motion->last);
  shk_chart_set_list(chart, "states", motion->states);
  shk_chart_set_list(chart, "joined", motion->joined);
  shk_chart_box(chart, motion->box, true);
  free(text);
  free(motion->times);
  *motion = (struct shk_motion){0};
}
