/*
 * Problems and integrators of plug-ins, as the planner sees them. A plug-in is loaded in worker
 * processes only; whoever plans gets its descriptors, and answers about its options, from a worker.
 * A provider is that worker's face: it is added once, before specifications are read, and outlives
 * every use of its descriptors.
 */
#ifndef ENGINE_REMOTE_H
#define ENGINE_REMOTE_H

#include "engine/engine.h"

struct shk_remote_provider {
  int problem_count, integrator_count;
  const struct shk_problem_info *problems; /* those of plug-ins only */
  const struct shk_integrator_info *integrators;
  /* As in struct shk_engine, of the engine of that precision in the worker. The specifications are
   * canonical. False with the reason, also when the plug-in crashed or hung. */
  bool (*claims)(void *user, struct shk_claims *claims, const char *precision,
                 const char *integrator, struct shk_message *error);
  bool (*inspect)(void *user, struct shk_inspection *inspection, const char *precision,
                  const char *problem, struct shk_message *error);
  bool (*scene)(void *user, struct shk_scene *scene, const char *problem, int count,
                const double *times, const char *const *q, struct shk_message *error);
  void *user;
};

/* Makes the provider's descriptors known to shk_find_problem, shk_find_integrator and
 * shk_canonical_…, and routes claims and inspections of its specifications to it. The provider must
 * live until the end of the program or until NULL is given, which forgets it. */
void shk_engine_add_remote(const struct shk_remote_provider *provider);

#endif
