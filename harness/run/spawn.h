/* Creates worker processes: a new process of this program or of Python, either of which may run
 * under bubblewrap, or a copy of a Python process that is already running. */
#ifndef HARNESS_RUN_SPAWN_H
#define HARNESS_RUN_SPAWN_H

#include "engine/context.h"
#include "foundation/processes/subprocess.h"

/* Parameters of new workers: the plug-ins to load, and the context with its access rights. The
 * context's remote provider is not passed on. */
struct shk_workers {
  const struct shk_context *context;
  const char *const *plugins;
  int plugin_count;
  /* Called at least five times a second while waiting for a worker. Can be NULL. */
  void (*waits)(void *user);
  void *user;
};

/* Starts the process of a worker with the descriptors of `child`. If SHAKEDOWN_PYTHON_SERVER names
 * the socket of a running Python process (python/shakedown/program.py), that process makes a copy
 * of itself. In this case the result is 0, and *host is the connection, which lasts as long as the
 * copy. On failure returns -1 and sets the reason. */
pid_t shk_spawn(const struct shk_workers *setup, const struct shk_child *child, int *host,
                struct shk_message *error);

#endif
