/* How worker processes come to be: this program anew, Python, either of them under bubblewrap, or a
 * copy of a Python that runs already. */
#ifndef HARNESS_RUN_SPAWN_H
#define HARNESS_RUN_SPAWN_H

#include "engine/context.h"
#include "foundation/processes/subprocess.h"

/* Parameters of new workers: the plug-ins to load, and the context with their rights of access. The
 * context's remote provider is not passed on. */
struct shk_workers {
  const struct shk_context *context;
  const char *const *plugins;
  int plugin_count;
  /* Called while one waits for a worker, at least five times a second. NULL: nothing is. */
  void (*waits)(void *user);
  void *user;
};

/* Starts the process of a worker with the descriptors of `child`. Where SHAKEDOWN_PYTHON_SERVER names
 * the socket of a Python (python/shakedown/program.py), that makes a copy of itself: 0 is returned,
 * and the connection, which lasts as long as the copy, in *host. -1 with the reason. */
pid_t shk_spawn(const struct shk_workers *setup, const struct shk_child *child, int *host,
                struct shk_message *error);

#endif
