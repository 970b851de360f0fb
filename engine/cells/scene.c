/*
 * Scene of a problem along a run: the points that its picture (picture.h) or its rods (system.h)
 * compute from the states, as plain numbers, without interpolation.
 */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "foundation/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes *picture from the system's rods, over the coordinates; false if it has none. */
static bool picture_rods(struct shk_picture *picture, const struct shk_system *system)
{
  const struct shk_rods *const rods = system->rods;
  if (!rods || rods->dimension < 1)
    return false;
  struct shk_picture_line *const lines = shk_allocate((size_t)system->m + 1, sizeof *lines);
  const int points = system->n / rods->dimension;
  *picture = (struct shk_picture){.dimension = rods->dimension,
                                  .up = 2,
                                  .point_count = points,
                                  .tracer = points - 1,
                                  .fixed = rods->fixed,
                                  .line_count = system->m,
                                  .lines = lines};
  for (int i = 0; i < system->m; i++) {
    lines[i] = (struct shk_picture_line){rods->rod[i].a, rods->rod[i].b, false};
    if (-rods->rod[i].a > picture->fixed_count)
      picture->fixed_count = -rods->rod[i].a;
  }
  return true;
}

static void convert(double *to, const real *from, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (double)from[i];
}

/* Makes all of the scene except the positions. */
static bool begin_scene(struct shk_scene *scene, const struct shk_picture *picture, int n,
                        struct shk_message *error)
{
  scene->dimension = picture->dimension;
  scene->up = picture->up;
  scene->tracer = picture->tracer;
  scene->point_count = picture->point_count;
  scene->dot_count = picture->dot_count > 0 ? picture->dot_count : picture->point_count;
  scene->fixed_count = picture->fixed_count;
  scene->line_count = picture->line_count;
  scene->curve_count = picture->curve_count;
  if (!shk_scene_make(scene, SIZE_MAX, error))
    return false;
  if (!picture->place && picture->point_count * picture->dimension > n) {
    shk_message_set(error, "cannot be drawn: %d points have more coordinates than the %d of q",
                    picture->point_count, n);
    return false;
  }
  for (int i = 0; i < scene->line_count; i++) {
    scene->lines[3 * i] = picture->lines[i].a;
    scene->lines[3 * i + 1] = picture->lines[i].b;
    scene->lines[3 * i + 2] = picture->lines[i].spring;
  }
  convert(scene->fixed, picture->fixed, scene->fixed_count * scene->dimension);
  convert(scene->curve, picture->curve, scene->curve_count * scene->dimension);
  return shk_scene_is_joined(scene, error);
}

/* Stores the positions of each state; NaN where the problem fails. */
static void place_points(struct shk_scene *scene, const struct shk_picture *picture,
                         const struct shk_instance *instance, const double *times, const double *q)
{
  const int n = instance->system.n, each = scene->point_count * scene->dimension;
  real *const state = shk_allocate((size_t)(n + each) + 1, sizeof *state), *const r = state + n;
  for (int i = 0; i < scene->state_count; i++) {
    double *const to = scene->positions + (size_t)i * (size_t)each;
    for (int k = 0; k < n; k++)
      state[k] = (real)q[(size_t)i * (size_t)n + (size_t)k];
    if (!picture->place)
      convert(to, state, each);
    else if (picture->place(instance->system.context, r, instance->initial_time + (real)times[i],
                            state) == 0)
      convert(to, r, each);
    else
      for (int k = 0; k < each; k++)
        to[k] = (double)NAN;
  }
  free(state);
}

static bool make_scene(struct shk_scene *scene, const struct shk_instance *instance,
                       const double *times, int n, const double *q, struct shk_message *error)
{
  struct shk_picture of_rods;
  const struct shk_picture *const own = instance->picture;
  if (!own && !picture_rods(&of_rods, &instance->system)) {
    shk_message_set(error, "does not say what it looks like (<shakedown/picture.h>)");
    return false;
  }
  const struct shk_picture *const picture = own ? own : &of_rods;
  bool ok = begin_scene(scene, picture, instance->system.n, error);
  if (ok && scene->state_count > 0 && n != instance->system.n) {
    shk_message_set(error, "has %d coordinates, and its states %d", instance->system.n, n);
    ok = false;
  }
  if (ok)
    place_points(scene, picture, instance, times, q);
  if (!own)
    free((struct shk_picture_line *)of_rods.lines);
  return ok;
}

bool shk_scene_of_problem(const struct shk_context *context, struct shk_scene *scene,
                          const char *problem, int count, const double *times, int n,
                          const double *q, struct shk_message *error)
{
  struct shk_bound bound;
  *scene = (struct shk_scene){.state_count = count};
  const bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK &&
                  make_scene(scene, &bound.instance, times, n, q, error);
  shk_unbind(&bound);
  return ok;
}
