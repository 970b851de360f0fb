/* A temporary file that a test overwrites repeatedly. */
#ifndef TESTS_KIT_SCRATCH_FILE_H
#define TESTS_KIT_SCRATCH_FILE_H

#include "tests/kit/tap.h"

#include <unistd.h>

/* Creates it, empty; `path` ends in XXXXXX, which becomes its name. Returns false, with a failed
 * point, if that fails. */
static inline bool make_scratch_file(char *path)
{
  const int descriptor = mkstemp(path);
  if (descriptor < 0)
    return tap_ok(false, "a file for the studies");
  close(descriptor);
  return true;
}

#endif
