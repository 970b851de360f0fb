/*
 * Checks of scenes, for all precisions: a plug-in's numbers must not reach our memory unchecked.
 */
#include "engine/engine.h"

#include <stdlib.h>

enum { MOST_POINTS = 3000, MOST_LINES = 6000 };

static bool is_a_point(const struct shk_scene *scene, int index)
{
  return index >= 0 ? index < scene->point_count : -index <= scene->fixed_count;
}

bool shk_scene_has_sound_sizes(const struct shk_scene *scene, struct shk_message *error)
{
  const char *wrong = NULL;
  if (scene->dimension != 2 && scene->dimension != 3)
    wrong = "its dimension is neither 2 nor 3";
  else if (scene->up < 0 || scene->up > 2)
    wrong = "the axis upwards is none of 0, 1 and 2";
  else if (scene->point_count < 1 || scene->fixed_count < 0 || scene->line_count < 0 ||
           scene->curve_count < 0)
    wrong = "it has no points, or a count below zero";
  else if (scene->point_count > MOST_POINTS || scene->fixed_count > MOST_POINTS ||
           scene->curve_count > MOST_POINTS || scene->line_count > MOST_LINES)
    wrong = "it has more than 3000 points or 6000 lines, too many to tell apart";
  else if (!is_a_point(scene, scene->tracer) || scene->tracer < 0)
    wrong = "its tracer is none of its points";
  else if (scene->dot_count < 0 || scene->dot_count > scene->point_count)
    wrong = "it has more dots than points";
  if (wrong)
    shk_message_set(error, "cannot be drawn: %s", wrong);
  return !wrong;
}

bool shk_scene_has_sound_lines(const struct shk_scene *scene, struct shk_message *error)
{
  for (int i = 0; i < scene->line_count; i++)
    if (!is_a_point(scene, scene->lines[i].a) || !is_a_point(scene, scene->lines[i].b)) {
      shk_message_set(error, "cannot be drawn: line %d joins points %d and %d, which do not exist",
                      i + 1, scene->lines[i].a, scene->lines[i].b);
      return false;
    }
  return true;
}

void shk_scene_clear(struct shk_scene *scene)
{
  free(scene->lines);
  free(scene->fixed);
  free(scene->curve);
  free(scene->positions);
  *scene = (struct shk_scene){0};
}
