/* A file that a test writes again and again. */
#ifndef TESTS_KIT_SCRATCH_FILE_H
#define TESTS_KIT_SCRATCH_FILE_H

#include "tests/kit/tap.h"

#include <stdlib.h>
#include <unistd.h>

/* Makes it, empty; `path` ends in XXXXXX, which becomes its name. False, with a failed point, if it
 * cannot be made. */
static inline bool make_scratch_file(char *path)
{
  const int descriptor = mkstemp(path);
  if (descriptor < 0)
    return tap_ok(false, "a file for the studies");
  close(descriptor);
  return true;
}

#endif
