/* Times whole steps of an integrator in one precision, beside a hand-written reference. */
#ifndef BENCHMARKS_TIMING_H
#define BENCHMARKS_TIMING_H

#include "benchmarks/hand.h"

#include <stdint.h>

struct shk_context;

struct timing_task {
  const struct shk_context *context; /* its plug-ins */
  const char *problem, *integrator, *step;
  double tolerance;        /* that of the integrator; 0: to round-off */
  const struct hand *hand; /* the reference; NULL: none */
  long most;               /* steps before going back to the start */
  double seconds;          /* of one repeat */
  bool control;            /* does not solve to the tolerance: not compared */
  bool damage;             /* gives the reference a step longer by a thousandth */
};

/* Of ours or of a reference. */
struct timing_side {
  double least, median; /* seconds a step over the repeats */
  double error;         /* max|g| after the last step */
};

struct timing {
  int n, m;
  long steps; /* that one repeat times */
  struct timing_side ours, hand;
  double difference; /* max|q - q of the reference| after a few steps */
  uint64_t bits;     /* a sum of all bits of ours after them */
  double bytes;      /* added by binding the problem and the method */
  double iterations; /* of Newton's method a step, both solves together */
};

/* Binds the cell, compares a few steps with those of the reference and times all in turns; false
 * with the reason (256 characters). */
bool time_steps(struct timing *timing, const struct timing_task *task, char *reason);

#endif
