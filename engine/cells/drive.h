/*
 * The driver of an integration owns the states, checks the result of each step, and keeps the last
 * valid state. `run`, `simulate` and the runs of clients all take their steps here.
 */
#ifndef ENGINE_CELLS_DRIVE_H
#define ENGINE_CELLS_DRIVE_H

#include "engine/bind.h"
#include "mechanics/diagnosis/well_posed.h"

#include <stdint.h>

struct shk_drive {
  struct shk_bound bound;
  struct shk_state current, next;
  unsigned long tries; /* number of steps tried */
  bool looks;          /* true if the current step is checked for changes of its input state */
  uint64_t sum;        /* checksum of the input state, if it is checked */
  /* True for constraints that depend on momenta, and for g(q) under a general H without a mass
   * matrix. A step across a fold can then be detected only from the inertia of {{H,g_i},g_j}, which
   * must therefore stay the same as at the start. */
  bool watches;
  struct shk_folds *folds; /* for g(q) under a general H; otherwise NULL */
  int negative;            /* number of negative eigenvalues at the start */
};

/* Binds the cell and places its start in `current`. On failure, returns false, with code and reason
 * in the outcome. Call shk_drive_end in either case. */
bool shk_drive_begin(const struct shk_context *context, struct shk_drive *drive,
                     struct shk_outcome *outcome, const struct shk_cell *cell);
void shk_drive_end(struct shk_drive *drive);
/* Tries the step from `current` to time t1, and stores the result in `next`. The step fails if the
 * new state is not finite or is beyond a fold of the hidden constraint. It also fails if the method
 * is found to have changed `current`, which is checked in the first eight steps and in every
 * sixteenth step. */
struct shk_status shk_drive_step(struct shk_drive *drive, real t1);
/* Makes `next` the current state. */
void shk_drive_accept(struct shk_drive *drive);
/* Returns to the start and binds the method again. */
struct shk_status shk_drive_rewind(struct shk_drive *drive);

#endif
