/* Times whole steps of an integrator in one precision. */
#ifndef BENCHMARKS_TIMING_H
#define BENCHMARKS_TIMING_H

#include <shakedown/real.h>

struct timing {
  int n, m;
  long steps;           /* in one repeat */
  double least, median; /* seconds a step over the repeats */
  double error;         /* max|g| after the last step */
  double bytes;         /* that binding the problem and the method added to the process */
  long iterations;      /* of Newton's method, all steps together */
};

/* Binds the cell and times it; false with the reason (256 characters). */
#define time_steps SHK_NAME(time_steps)
bool time_steps(struct timing *timing, const char *problem, const char *integrator,
                const char *step, char *reason);

#endif
