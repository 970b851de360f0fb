/*
 * Observes the first steps of a method in order to predict and limit the time of a whole run
 * (harness/run/worker.c).
 */
#ifndef FOUNDATION_PROBE_H
#define FOUNDATION_PROBE_H

/* The number of steps at the beginning of a run after which it reports its progress. */
enum { SHK_PROBE_STEPS = 10 };

/* Receives the fraction of its duration that a run has completed: 0 at the start, and then a value
 * after each of the first SHK_PROBE_STEPS steps. If a cell is not a run, its number of steps is
 * unknown, so it reports NaN after every step. The process that runs a cell sets this function
 * pointer, which is NULL if no progress reports are needed. */
extern void (*shk_step_done)(double part);

static inline void shk_tell_step(double part)
{
  if (shk_step_done)
    shk_step_done(part);
}

#endif
