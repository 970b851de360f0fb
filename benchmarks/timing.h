/* Timing of whole steps of an integrator in one precision, beside a hand-written reference. */
#ifndef BENCHMARKS_TIMING_H
#define BENCHMARKS_TIMING_H

#include "benchmarks/hand.h"

#include <stdint.h>

struct shk_context;

struct timing_task {
  const struct shk_context *context; /* its plug-ins */
  const char *problem, *integrator, *step;
  double tolerance;        /* the integrator's; 0: to round-off */
  const struct hand *hand; /* the reference; NULL: none */
  long most;               /* steps before returning to the start */
  double seconds;          /* of one repeat */
  bool control;            /* does not solve to the tolerance, so it is not compared */
  bool damage;             /* lengthens the step of the reference by a thousandth */
};

/* Results of our method or of a reference. */
struct timing_side {
  double least, median; /* seconds per step over the repeats */
  double error;         /* max|g| after the last step */
};

struct timing {
  int n, m;
  long steps; /* steps timed in one repeat */
  struct timing_side ours, hand;
  double difference; /* max|q - q of the reference| after the first steps */
  uint64_t bits;     /* a sum of all bits of our state after them */
  double bytes;      /* memory added by binding the problem and the method */
  double iterations; /* Newton iterations per step, both solves together */
};

/* Binds the cell, compares the first steps with the reference and times both in turns. False with
 * the reason (256 characters). */
bool time_steps(struct timing *timing, const struct timing_task *task, char *reason);

#endif
