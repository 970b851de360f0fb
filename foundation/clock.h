/* A monotonic clock, which is used for time limits and progress reports but never for results. */
#ifndef FOUNDATION_CLOCK_H
#define FOUNDATION_CLOCK_H

#include <time.h>

/* Returns the seconds since an arbitrary moment before the program began. */
static inline double shk_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
