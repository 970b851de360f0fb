/*
 * Scenes as JSON: a worker with plug-ins is asked for the points of their problems, and answers.
 */
#ifndef RESULTS_RECORD_WIRE_SCENE_H
#define RESULTS_RECORD_WIRE_SCENE_H

#include "engine/engine.h"
#include <jansson.h>

json_t *shk_wire_scene(const struct shk_scene *scene);
/* Members "scene", the problem, "times", "n" and "q" of a request. */
void shk_wire_ask_scene(json_t *request, const char *problem, int count, const double *times, int n,
                        const double *q);
/* The answer's member "scene" for such a request, by this engine; NULL with the reason. */
json_t *shk_wire_answer_scene(const struct shk_context *context, const struct shk_engine *engine,
                              const json_t *request, struct shk_message *error);
/* Reads and checks it: it may come from a process that a plug-in has corrupted. The scene is to be
 * cleared in any case. */
bool shk_wire_read_scene(struct shk_scene *scene, int count, const json_t *json,
                         struct shk_message *error);

#endif
