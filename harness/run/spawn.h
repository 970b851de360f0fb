/* Creates worker processes. A worker is either a new process that runs this program or Python,
 * possibly under bubblewrap, or a copy of a Python process that is already running. */
#ifndef HARNESS_RUN_SPAWN_H
#define HARNESS_RUN_SPAWN_H

#include "engine/context.h"
#include "foundation/processes/subprocess.h"

/* Parameters of new workers: the plug-ins to load, and the context with its access rights. The
 * context's remote provider is not passed on to the worker. */
struct shk_workers {
  const struct shk_context *context;
  const char *const *plugins;
  int plugin_count;
  /* A callback that is called at least five times a second while waiting for a worker; can be
   * NULL. */
  void (*waits)(void *user);
  void *user;
};

/* Starts a worker process with the descriptors in `child`. If SHAKEDOWN_PYTHON_SERVER names the
 * socket of a running Python process (python/shakedown/program.py), that process forks a copy of
 * itself. In this case, returns 0 and stores the connection, which lasts as long as the copy, in
 * *host. On failure, returns -1 and sets the reason. */
pid_t shk_spawn(const struct shk_workers *setup, const struct shk_child *child, int *host,
                struct shk_message *error);

#endif
