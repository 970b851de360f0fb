/* Declarations shared by the sources of handle.h. */
#ifndef ENGINE_HELD_PARTS_H
#define ENGINE_HELD_PARTS_H

#include "engine/surface/handle.h"
#include "mechanics/system/callback.h"
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

extern const struct shk_engine SHK_ENGINE;
extern const struct shk_handle shk_handle_functions;

/* Turns *problem into a view of parts that are bound elsewhere. Its arrays are allocated in the
 * workspace. */
struct shk_status shk_handle_view(struct shakedown_problem *problem,
                                  const struct shk_instance *instance,
                                  struct shk_evaluator *evaluator, struct shk_manifold *manifold,
                                  struct shk_workspace *workspace);

/* Rounds numbers to doubles. Does nothing if `to` is NULL. */
void shk_to_doubles(double *to, const real *from, int count);

/* Implements the member `provide` of struct shk_handle. */
void *shk_handle_provide(const struct shakedown_method *method, const struct shk_stated *claims,
                         const struct shk_option *options, unsigned supports);

#endif
