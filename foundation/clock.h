/* A monotonic clock for time limits and progress reports. It must not be used for results. */
#ifndef FOUNDATION_CLOCK_H
#define FOUNDATION_CLOCK_H

#include <time.h>

/* Returns the number of seconds since an arbitrary moment before the program started. */
static inline double shk_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
