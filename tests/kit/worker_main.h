/* Tests that start workers are these workers themselves: as `TEST worker --plugin FILE …`. */
#ifndef TESTS_KIT_WORKER_MAIN_H
#define TESTS_KIT_WORKER_MAIN_H

#include "harness/run/worker.h"
#include "tests/kit/context.h"

#include <string.h>
#include <unistd.h>

/* Whether this process was started as a worker; it then has been one, and *status is its exit
 * status. */
static inline bool was_worker(int *status, int argc, char **argv)
{
  if (argc < 2 || strcmp(argv[1], "worker") != 0)
    return false;
  const char *plugins[8];
  int count = 0;
  for (int i = 3; i < argc && count < 8; i += 2)
    plugins[count++] = argv[i];
  *status = shk_worker(&test_context, STDIN_FILENO, STDOUT_FILENO, plugins, count);
  return true;
}

#endif
