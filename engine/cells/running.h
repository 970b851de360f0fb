/* A run in its course: one step after the other, by itself or beside others (together.h). */
#ifndef ENGINE_CELLS_RUNNING_H
#define ENGINE_CELLS_RUNNING_H

#include "engine/cells/drive.h"
#include "measures/measure.h"

enum {
  SHK_RUN_MEASURES = 0
#define RUN_MEASURE(word, ...) +1
#include "measures/run.def"
#undef RUN_MEASURE
};

struct shk_running {
  struct shk_drive drive;
  struct shk_measured measured;
  void *states[SHK_RUN_MEASURES];
  struct shk_outcome *outcome;
  const struct shk_cell *cell;
  bool adaptive, timed, measures; /* measures: they have been created */
  long steps;                     /* fixed: all of them; adaptive: sample times */
  long done;                      /* of them */
  long *samples;                  /* the step after which each sample time comes */
  int due;                        /* the sample that comes next; -1 is the start */
  real *times;                    /* adaptive: sample times since t0 */
  double seconds;                 /* spent in calls of adaptive solvers */
  struct shk_work before;         /* the last step, which counts as none */
  bool ended;
  struct shk_status status; /* of the run */
};

#define shk_running_begin SHK_NAME(shk_running_begin)
#define shk_running_step SHK_NAME(shk_running_step)
#define shk_running_before_step SHK_NAME(shk_running_before_step)
#define shk_running_after_step SHK_NAME(shk_running_after_step)
#define shk_running_end SHK_NAME(shk_running_end)

/* Binds the cell and observes its start; `timed` as in shk_run_member. It may have ended there. */
void shk_running_begin(const struct shk_context *context, struct shk_running *r,
                       struct shk_outcome *outcome, const struct shk_cell *cell, bool timed);
/* A step of a run that has not ended; and its two parts, before and after that of the method itself, from
 * `current` to `next` of its drive, whose status this is. */
void shk_running_step(struct shk_running *r);
void shk_running_before_step(struct shk_running *r);
void shk_running_after_step(struct shk_running *r, struct shk_status status);
/* Finishes the outcome, measures the time and frees everything. */
void shk_running_end(struct shk_running *r);

#endif
