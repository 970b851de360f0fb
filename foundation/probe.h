/*
 * The first steps of a method, which are used to predict and limit the time of a whole run
 * (harness/run/worker.c).
 */
#ifndef FOUNDATION_PROBE_H
#define FOUNDATION_PROBE_H

/* A run reports its progress after each of this many first steps. */
enum { SHK_PROBE_STEPS = 10 };

/* Receives the fraction of its duration that a run has completed: 0 at the start, and then a value
 * after each of its first SHK_PROBE_STEPS steps. A cell that is not a run has an unknown number of
 * steps and reports NaN after every step. The process that runs a cell sets this function. It is
 * NULL if progress is not needed. */
extern void (*shk_step_done)(double part);

static inline void shk_tell_step(double part)
{
  if (shk_step_done)
    shk_step_done(part);
}

#endif
