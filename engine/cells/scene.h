/* What a problem looks like along a run. */
#ifndef ENGINE_CELLS_SCENE_H
#define ENGINE_CELLS_SCENE_H

#include "engine/engine.h"
#include <shakedown/real.h>

/* As the member scene of struct shk_engine. */
bool shk_scene_of_problem(const struct shk_context *context, struct shk_scene *scene,
                          const char *problem, int count, const double *times, int n,
                          const double *q, struct shk_message *error);

#endif
