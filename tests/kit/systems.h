/* The systems in files that come with the program, for tests that name them. */
#ifndef TESTS_KIT_SYSTEMS_H
#define TESTS_KIT_SYSTEMS_H

#include "tests/kit/context.h"

#include <stdio.h>
#include <stdlib.h>

/* Files are found from the folder of the shipped studies. */
static inline void use_shipped_systems(void)
{
  const char *source = getenv("SHAKEDOWN_SOURCE");
  static char folder[4096];
  snprintf(folder, sizeof folder, "%s/studies", source ? source : ".");
  test_context.access.folder = folder;
}

#endif
