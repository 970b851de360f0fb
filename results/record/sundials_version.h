/* The version of SUNDIALS, "none" in a program that was built without. */
#ifndef RESULTS_RECORD_SUNDIALS_VERSION_H
#define RESULTS_RECORD_SUNDIALS_VERSION_H

#include "build_parts.h"
#include <stdio.h>

#ifdef SHK_HAVE_SUNDIALS
#include <sundials/sundials_version.h>

static inline void shk_sundials_version(char *text, int size)
{
  if (SUNDIALSGetVersion(text, size))
    snprintf(text, (size_t)size, "unknown");
}

#else

static inline void shk_sundials_version(char *text, int size)
{
  snprintf(text, (size_t)size, "none");
}

#endif
#endif
