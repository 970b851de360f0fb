/*
 * What a problem looks like along a run: the points that its picture (picture.h) or its rods
 * (system.h) make of the states, as plain numbers. Nothing is interpolated.
 */
#include "engine/cells/scene.h"

#include "engine/bind.h"
#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

static void convert(double **to, const real *from, int count)
{
  *to = shk_allocate((size_t)count + 1, sizeof **to);
  for (int i = 0; i < count; i++)
    (*to)[i] = (double)from[i];
}

static bool take_picture(struct shk_scene *scene, const struct shk_picture *picture, int n,
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
  if (!shk_scene_has_sound_sizes(scene, error))
    return false;
  if (!picture->place && picture->point_count * picture->dimension > n) {
    shk_message_set(error, "cannot be drawn: %d points have more coordinates than the %d of q",
                    picture->point_count, n);
    return false;
  }
  scene->lines = shk_allocate((size_t)scene->line_count + 1, sizeof *scene->lines);
  for (int i = 0; i < scene->line_count; i++)
    scene->lines[i] =
        (struct shk_scene_line){picture->lines[i].a, picture->lines[i].b, picture->lines[i].spring};
  convert(&scene->fixed, picture->fixed, scene->fixed_count * scene->dimension);
  convert(&scene->curve, picture->curve, scene->curve_count * scene->dimension);
  return shk_scene_has_sound_lines(scene, error);
}

static bool take_rods(struct shk_scene *scene, const struct shk_system *system,
                      struct shk_message *error)
{
  const struct shk_rods *rods = system->rods;
  scene->dimension = rods->dimension;
  scene->up = 2;
  scene->point_count = scene->dimension > 0 ? system->n / scene->dimension : 0;
  scene->dot_count = scene->point_count;
  scene->tracer = scene->point_count - 1;
  scene->line_count = system->m;
  for (int i = 0; i < system->m; i++)
    if (rods->rod[i].a < 0 && -rods->rod[i].a > scene->fixed_count)
      scene->fixed_count = -rods->rod[i].a;
  if (!shk_scene_has_sound_sizes(scene, error))
    return false;
  scene->lines = shk_allocate((size_t)scene->line_count + 1, sizeof *scene->lines);
  for (int i = 0; i < system->m; i++)
    scene->lines[i] = (struct shk_scene_line){rods->rod[i].a, rods->rod[i].b, false};
  convert(&scene->fixed, rods->fixed, scene->fixed_count * scene->dimension);
  scene->curve = shk_allocate(1, sizeof *scene->curve);
  return shk_scene_has_sound_lines(scene, error);
}

/* Positions of one state; NaN where the problem fails. */
static void place_points(double *positions, const struct shk_scene *scene,
                         const struct shk_instance *instance, real *q, real *r, double time)
{
  const struct shk_system *system = &instance->system;
  const struct shk_picture *picture = instance->picture;
  const int count = scene->point_count * scene->dimension;
  const real *from = q;
  bool ok = true;
  if (picture && picture->place) {
    ok = picture->place(system->context, r, instance->initial_time + (real)time, q) == 0;
    from = r;
  }
  for (int i = 0; i < count; i++)
    positions[i] = ok ? (double)from[i] : (double)NAN;
}

bool shk_scene_of_problem(const struct shk_context *context, struct shk_scene *scene,
                          const char *problem, int count, const double *times, int n,
                          const double *q, struct shk_message *error)
{
  struct shk_bound bound;
  *scene = (struct shk_scene){.state_count = count};
  bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK;
  const struct shk_instance *instance = &bound.instance;
  if (ok && instance->picture) {
    ok = take_picture(scene, instance->picture, instance->system.n, error);
  } else if (ok && instance->system.rods) {
    ok = take_rods(scene, &instance->system, error);
  } else if (ok) {
    shk_message_set(error, "does not say what it looks like (<shakedown/picture.h>)");
    ok = false;
  }
  if (ok && count > 0 && n != instance->system.n) {
    shk_message_set(error, "has %d coordinates, and its states %d", instance->system.n, n);
    ok = false;
  }
  if (ok) {
    const size_t each = (size_t)(scene->point_count * scene->dimension);
    real *states = shk_allocate((size_t)instance->system.n + each + 1, sizeof *states);
    scene->positions = shk_allocate((size_t)count * each + 1, sizeof *scene->positions);
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < n; k++)
        states[k] = (real)q[(size_t)i * (size_t)n + (size_t)k];
      place_points(scene->positions + (size_t)i * each, scene, instance, states, states + n,
                   times[i]);
    }
    free(states);
  }
  shk_unbind(&bound);
  return ok;
}
