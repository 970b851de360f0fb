/* How worker processes are made: as a new process of this program or of Python, either of them
 * possibly under bubblewrap, or as a copy of a Python that is already running. */
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
  /* Called at least five times a second while waiting for a worker. May be NULL. */
  void (*waits)(void *user);
  void *user;
};

/* Starts the process of a worker with the descriptors of `child`. If SHAKEDOWN_PYTHON_SERVER names
 * the socket of a running Python (python/shakedown/program.py), that Python makes a copy of itself;
 * the result is then 0, and *host is the connection, which lasts as long as the copy. On failure
 * returns -1 and sets the reason. */
pid_t shk_spawn(const struct shk_workers *setup, const struct shk_child *child, int *host,
                struct shk_message *error);

#endif
