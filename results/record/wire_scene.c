/* Scenes as JSON. See wire_scene.h. */
#include "results/record/wire_scene.h"
#include "foundation/memory.h"
#include "results/record/wire_text.h"
#include <stdlib.h>

static json_t *numbers(const double *values, size_t count)
{
  json_t *array = shk_wire_had(json_array());
  for (size_t i = 0; i < count; i++)
    shk_wire_append(array, shk_wire_real(values[i]));
  return array;
}

/* Exactly so many; NULL with the reason. */
static double *read_numbers(const json_t *json, const char *member, size_t count,
                            struct shk_message *error)
{
  const json_t *array = json_object_get(json, member);
  double *values = shk_allocate(count + 1, sizeof *values);
  bool ok = json_is_array(array) && json_array_size(array) == count;
  for (size_t i = 0; ok && i < count; i++)
    ok = shk_wire_read_real(&values[i], json_array_get(array, i));
  if (ok)
    return values;
  free(values);
  shk_message_set(error, "member \"%s\": expected %zu numbers", member, count);
  return NULL;
}

void shk_wire_ask_scene(json_t *request, const char *problem, int count, const double *times, int n,
                        const double *q)
{
  shk_wire_set_text(request, "scene", problem);
  shk_wire_set(request, "times", numbers(times, (size_t)count));
  shk_wire_set(request, "n", json_integer(n));
  shk_wire_set(request, "q", numbers(q, (size_t)count * (size_t)n));
}

json_t *shk_wire_scene(const struct shk_scene *scene)
{
  const size_t dimension = (size_t)scene->dimension;
  json_t *json = shk_wire_had(json_object()), *lines = shk_wire_had(json_array());
  const int sizes[] = {scene->dimension,   scene->up,         scene->point_count, scene->dot_count,
                       scene->fixed_count, scene->line_count, scene->curve_count, scene->tracer};
  json_t *counts = shk_wire_had(json_array());
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    shk_wire_append(counts, shk_wire_had(json_integer(sizes[i])));
  for (int i = 0; i < scene->line_count; i++) {
    shk_wire_append(lines, shk_wire_had(json_integer(scene->lines[i].a)));
    shk_wire_append(lines, shk_wire_had(json_integer(scene->lines[i].b)));
    shk_wire_append(lines, shk_wire_had(json_integer(scene->lines[i].spring)));
  }
  shk_wire_set(json, "sizes", counts);
  shk_wire_set(json, "lines", lines);
  shk_wire_set(json, "fixed", numbers(scene->fixed, (size_t)scene->fixed_count * dimension));
  shk_wire_set(json, "curve", numbers(scene->curve, (size_t)scene->curve_count * dimension));
  shk_wire_set(json, "positions",
               numbers(scene->positions,
                       (size_t)scene->state_count * (size_t)scene->point_count * dimension));
  return json;
}

json_t *shk_wire_answer_scene(const struct shk_context *context, const struct shk_engine *engine,
                              const json_t *request, struct shk_message *error)
{
  enum { MOST_COORDINATES = 1000000 };
  const char *problem = json_string_value(json_object_get(request, "scene"));
  const size_t count = json_array_size(json_object_get(request, "times"));
  long n = 0;
  if (!problem || !shk_wire_get_integer(&n, request, "n", 0, MOST_COORDINATES, error))
    return NULL;
  double *const times = read_numbers(request, "times", count, error);
  double *const q = times ? read_numbers(request, "q", count * (size_t)n, error) : NULL;
  json_t *json = NULL;
  struct shk_scene scene = {0};
  if (q && engine->scene(context, &scene, problem, (int)count, times, (int)n, q, error))
    json = shk_wire_scene(&scene);
  shk_scene_clear(&scene);
  free(q);
  free(times);
  return json;
}

static bool read_sizes(struct shk_scene *scene, const json_t *json, struct shk_message *error)
{
  int *const sizes[] = {&scene->dimension,   &scene->up,          &scene->point_count,
                        &scene->dot_count,   &scene->fixed_count, &scene->line_count,
                        &scene->curve_count, &scene->tracer};
  const json_t *array = json_object_get(json, "sizes");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const json_int_t value = json_integer_value(json_array_get(array, i));
    *sizes[i] = value < 0 || value > 1000000 ? -1 : (int)value;
  }
  return shk_scene_has_sound_sizes(scene, error);
}

bool shk_wire_read_scene(struct shk_scene *scene, int count, const json_t *json,
                         struct shk_message *error)
{
  *scene = (struct shk_scene){.state_count = count};
  if (!read_sizes(scene, json, error))
    return false;
  const json_t *lines = json_object_get(json, "lines");
  if (json_array_size(lines) != 3 * (size_t)scene->line_count) {
    shk_message_set(error, "member \"lines\": expected %d lines", scene->line_count);
    return false;
  }
  scene->lines = shk_allocate((size_t)scene->line_count + 1, sizeof *scene->lines);
  for (int i = 0; i < scene->line_count; i++) {
    const size_t at = 3 * (size_t)i;
    scene->lines[i].a = (int)json_integer_value(json_array_get(lines, at));
    scene->lines[i].b = (int)json_integer_value(json_array_get(lines, at + 1));
    scene->lines[i].spring = json_integer_value(json_array_get(lines, at + 2)) != 0;
  }
  if (!shk_scene_has_sound_lines(scene, error))
    return false;
  const size_t dimension = (size_t)scene->dimension;
  scene->fixed = read_numbers(json, "fixed", (size_t)scene->fixed_count * dimension, error);
  scene->curve = read_numbers(json, "curve", (size_t)scene->curve_count * dimension, error);
  scene->positions = read_numbers(json, "positions",
                                  (size_t)count * (size_t)scene->point_count * dimension, error);
  return scene->fixed && scene->curve && scene->positions;
}
