/* A state of a problem, evaluated. */
#ifndef ENGINE_CELLS_OBSERVE_H
#define ENGINE_CELLS_OBSERVE_H

#include "engine/context.h"
#include <shakedown/real.h>

/* As the member observe of struct shk_engine. */
bool shk_observe_state(const struct shk_context *context, struct shk_observation *observation,
                       const char *problem, const char *since, const struct shk_vector *q,
                       const struct shk_vector *p, const struct shk_vector *v,
                       struct shk_message *error);

#endif
