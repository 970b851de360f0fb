/* Systems in files, for tests that name them. */
#ifndef TESTS_KIT_SYSTEMS_H
#define TESTS_KIT_SYSTEMS_H

#include "tests/kit/context.h"

#include <stdio.h>
#include <stdlib.h>

/* Sets the folder of files to a part of the source tree; "studies" has those shipped. */
static inline void use_systems_of(const char *part)
{
  const char *source = getenv("SHAKEDOWN_SOURCE");
  static char folder[4096];
  snprintf(folder, sizeof folder, "%s/%s", source ? source : ".", part);
  test_context.access.folder = folder;
}

#endif
