/*
 * The first steps of a method, for the limit of a cell's time (harness/run/worker.c).
 */
#ifndef FOUNDATION_PROBE_H
#define FOUNDATION_PROBE_H

/* Steps of which a run reports how far they lead: from them the time of all is predicted. */
enum { SHK_PROBE_STEPS = 10 };

/* Receives the part of its duration that a run has done: 0 at the start, and after each of its
 * first SHK_PROBE_STEPS steps. After every step of a cell that is no run, the number of whose steps
 * nobody knows: NaN. NULL: nobody asks; the process that runs a cell sets it. */
extern void (*shk_step_done)(double part);

static inline void shk_tell_step(double part)
{
  if (shk_step_done)
    shk_step_done(part);
}

#endif
