/*
 * The states of a motion, in the plane in which they are drawn.
 *
 * In the plane that is x and y. In space it is a parallel projection: with the axes (a, b, c), c
 * the one that is drawn upwards and a, b, c right-handed, seen from the azimuth A, from a towards
 * b, and the elevation E,
 *
 *     x = b cos A - a sin A,     y = c cos E - (a cos A + b sin A) sin E.
 *
 * A frame shows states that were computed, each from its own time until the next; nothing is put
 * between them.
 */
#include "foundation/memory.h"

#include "engine/names.h"
#include "plots/canvas/plane.h"
#include "plots/motion/motion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

void shk_motion_project(double *x, double *y, const struct shk_scene *scene, const double *r)
{
  if (scene->dimension == 2) {
    *x = r[0];
    *y = r[1];
    return;
  }
  const double a = r[(scene->up + 1) % 3], b = r[(scene->up + 2) % 3], c = r[scene->up];
  const double turn = SHK_MOTION_AZIMUTH * degree, rise = SHK_MOTION_ELEVATION * degree;
  *x = b * cos(turn) - a * sin(turn);
  *y = c * cos(rise) - (a * cos(turn) + b * sin(turn)) * sin(rise);
}

static double *project_all(const struct shk_scene *scene, const double *from, size_t count)
{
  double *const places = shk_allocate(2 * count + 1, sizeof *places);
  for (size_t i = 0; i < count; i++)
    shk_motion_project(&places[2 * i], &places[2 * i + 1], scene,
                       from + i * (size_t)scene->dimension);
  return places;
}

const double *shk_motion_at(const struct shk_motion *motion, const struct shk_motion_run *run,
                            int state, int point)
{
  if (point < 0)
    return motion->fixed + 2 * (-1 - point);
  const size_t points = (size_t)motion->scene.point_count;
  return run->places + 2 * ((size_t)state * points + (size_t)point);
}

double shk_motion_breadth(const struct shk_motion *motion, const struct shk_motion_run *run)
{
  const double rim = 0.8, most = 4;
  return fmin(1 + rim * (double)(motion->run_count - 1 - (run - motion->runs)), most);
}

int shk_motion_state(const struct shk_motion_run *run, double time)
{
  int low = -1, high = run->count; /* times[low] <= time < times[high] */
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (run->times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static bool is_joined(const struct shk_motion *motion, const struct shk_motion_run *run)
{
  double *const x = shk_allocate(2 * (size_t)run->count + 1, sizeof *x), *const y = x + run->count;
  for (int i = 0; i < run->count; i++) {
    const double *const at = shk_motion_at(motion, run, i, motion->scene.tracer);
    x[i] = at[0];
    y[i] = at[1];
  }
  const bool joined = shk_path_is_close(x, y, run->count);
  free(x);
  return joined;
}

bool shk_motion_add(const struct shk_context *context, struct shk_motion *motion,
                    const char *problem, int method, bool finished, int count, const double *times,
                    int n, const double *q, struct shk_message *error)
{
  struct shk_scene scene;
  struct shk_message why = {.text = ""};
  if (!shk_scene_of(context, &scene, problem, count, times, n, q, &why)) {
    shk_message_set(error, "motion: %s %s", problem, why.text);
    shk_scene_clear(&scene);
    return false;
  }
  struct shk_motion_run run = {.method = method, .finished = finished, .count = count};
  run.times = shk_allocate((size_t)count + 1, sizeof *run.times);
  memcpy(run.times, times, (size_t)count * sizeof *times);
  run.places = project_all(&scene, scene.positions, (size_t)count * (size_t)scene.point_count);
  free(scene.positions);
  scene.positions = NULL;
  if (motion->run_count == 0) {
    motion->problem = problem;
    motion->fixed = project_all(&scene, scene.fixed, (size_t)scene.fixed_count);
    motion->curve = project_all(&scene, scene.curve, (size_t)scene.curve_count);
    motion->scene = scene;
  } else {
    shk_scene_clear(&scene);
  }
  run.joined = is_joined(motion, &run);
  motion->runs = shk_grow(motion->runs, (size_t)motion->run_count, sizeof *motion->runs);
  motion->runs[motion->run_count++] = run;
  return true;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What a frame takes in the SVG, about: a number of each place, and the tracers' tails. */
static double bytes_of_a_frame(const struct shk_motion *motion)
{
  const struct shk_scene *scene = &motion->scene;
  return 120 + motion->run_count * (400.0 + 18.0 * scene->line_count + 10.0 * scene->dot_count);
}

bool shk_motion_choose_frames(struct shk_motion *motion, struct shk_message *error)
{
  static const double most_bytes = 1.6e6;
  size_t count = 0, kept = 0;
  for (int r = 0; r < motion->run_count; r++)
    count += (size_t)motion->runs[r].count;
  double *const all = shk_allocate(count + 1, sizeof *all);
  for (int r = 0; r < motion->run_count; r++) {
    memcpy(all + kept, motion->runs[r].times, (size_t)motion->runs[r].count * sizeof *all);
    kept += (size_t)motion->runs[r].count;
  }
  qsort(all, count, sizeof *all, ascending);
  kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || all[i] > all[kept - 1])
      all[kept++] = all[i];
  const double room = fmin(SHK_MOTION_FRAMES, most_bytes / bytes_of_a_frame(motion));
  if (kept < 2 || room < 2) {
    shk_message_set(error, "motion: %s has %s", motion->problem ? motion->problem : "the study",
                    kept < 2 ? "fewer than two states to show"
                             : "so many points and runs that a file of 2 MB holds no two frames");
    free(all);
    return false;
  }
  /* Every k-th, and the last. */
  const size_t each = (size_t)ceil((double)kept / floor(room));
  motion->frames = all;
  for (size_t i = 0; i < kept; i += each)
    all[motion->frame_count++] = all[i];
  if ((kept - 1) % each != 0)
    all[motion->frame_count++] = all[kept - 1];
  return true;
}

void shk_motion_clear(struct shk_motion *motion)
{
  for (int r = 0; r < motion->run_count; r++) {
    free(motion->runs[r].times);
    free(motion->runs[r].places);
  }
  free(motion->runs);
  free(motion->frames);
  free(motion->fixed);
  free(motion->curve);
  shk_scene_clear(&motion->scene);
  *motion = (struct shk_motion){0};
}
