/* What the sources behind held.h share. */
#ifndef ENGINE_HELD_PARTS_H
#define ENGINE_HELD_PARTS_H

#include "engine/surface/held.h"
#include "mechanics/system/callback.h"
#include <shakedown/integrator.h>
#include <shakedown/solve.h>

extern const struct shk_engine SHK_ENGINE;
extern const struct shk_held shk_held_functions;

/* *problem <- what is bound elsewhere, with room of the workspace. */
struct shk_status shk_held_view(struct shakedown_problem *problem,
                                const struct shk_instance *instance,
                                struct shk_evaluator *evaluator, struct shk_manifold *manifold,
                                struct shk_workspace *workspace);

/* As the members of struct shk_held. */
struct shakedown_run *shk_held_run_open(const struct shk_context *context,
                                        const struct shakedown_request *request,
                                        struct shakedown_error *error);
void shk_held_run_close(struct shakedown_run *run);
int shk_held_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error);
void shk_held_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                        double *lambda, double *mu);
char *shk_held_run_state_text(const struct shakedown_run *run);
void shk_held_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                        const double *lambda);
struct shk_provided *shk_held_provide(const struct shakedown_method *method,
                                      const struct shk_stated *claims, unsigned supports);

#endif
