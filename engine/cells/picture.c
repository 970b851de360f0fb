/*
 * Memory and checks of scenes, for all precisions. A plug-in's numbers are checked before they size
 * or index our arrays.
 */
#include "engine/engine.h"
#include "foundation/memory.h"
#include <stdlib.h>

enum { MOST_POINTS = 3000, MOST_LINES = 6000, LINE = 3 };

static bool is_a_point(const struct shk_scene *scene, double index)
{
  return index >= 0 ? index < scene->point_count : -index <= scene->fixed_count;
}

static const char *fault_of_sizes(const struct shk_scene *scene)
{
  if (scene->dimension != 2 && scene->dimension != 3)
    return "its dimension is neither 2 nor 3";
  if (scene->up < 0 || scene->up > 2)
    return "the axis upwards is none of 0, 1 and 2";
  if (scene->point_count < 1 || scene->fixed_count < 0 || scene->line_count < 0 ||
      scene->curve_count < 0 || scene->state_count < 0)
    return "it has no points, or a count below zero";
  if (scene->point_count > MOST_POINTS || scene->fixed_count > MOST_POINTS ||
      scene->curve_count > MOST_POINTS || scene->line_count > MOST_LINES)
    return "it has more than 3000 points or 6000 lines, too many to tell apart";
  if (scene->tracer < 0 || scene->tracer >= scene->point_count)
    return "its tracer is none of its points";
  if (scene->dot_count < 0 || scene->dot_count > scene->point_count)
    return "it has more dots than points";
  return NULL;
}

size_t shk_scene_numbers(const struct shk_scene *scene)
{
  const size_t positions = (size_t)scene->state_count * (size_t)scene->point_count;
  return LINE * (size_t)scene->line_count +
         (size_t)scene->dimension *
             ((size_t)scene->fixed_count + (size_t)scene->curve_count + positions);
}

bool shk_scene_make(struct shk_scene *scene, size_t most, struct shk_message *error)
{
  const char *wrong = fault_of_sizes(scene);
  if (!wrong && shk_scene_numbers(scene) > most)
    wrong = "it has more numbers than were told";
  if (wrong) {
    shk_message_set(error, "cannot be drawn: %s", wrong);
    return false;
  }
  scene->lines = shk_allocate(shk_scene_numbers(scene) + 1, sizeof *scene->lines);
  scene->fixed = scene->lines + LINE * scene->line_count;
  scene->curve = scene->fixed + scene->dimension * scene->fixed_count;
  scene->positions = scene->curve + scene->dimension * scene->curve_count;
  return true;
}

bool shk_scene_is_joined(const struct shk_scene *scene, struct shk_message *error)
{
  for (int i = 0; i < scene->line_count; i++) {
    const double *const line = scene->lines + LINE * i;
    if (is_a_point(scene, line[0]) && is_a_point(scene, line[1]))
      continue;
    shk_message_set(error, "cannot be drawn: line %d joins points %g and %g, which do not exist",
                    i + 1, line[0], line[1]);
    return false;
  }
  return true;
}

void shk_scene_clear(struct shk_scene *scene)
{
  free(scene->lines);
  *scene = (struct shk_scene){0};
}
