/*
 * The driver of an integration owns the states, checks the result of each step, and retains the
 * last valid state. `run`, `simulate` and the runs of clients all take their steps through this
 * driver.
 */
#ifndef ENGINE_CELLS_DRIVE_H
#define ENGINE_CELLS_DRIVE_H

#include "engine/bind.h"
#include "mechanics/diagnosis/well_posed.h"

#include <stdint.h>

struct shk_drive {
  struct shk_bound bound;
  struct shk_state current, next;
  unsigned long tries; /* number of steps attempted */
  bool looks;          /* true if the current step is checked for changes to its input state */
  uint64_t sum;        /* checksum of the input state, if the state is checked */
  /* True if constraints depend on momenta, or if constraints g(q) are combined with a general H
   * without a mass matrix. In these cases, a step across a fold can be detected only from the
   * inertia of {{H,g_i},g_j}, which must therefore remain the same as at the start. */
  bool watches;
  struct shk_folds *folds; /* used for constraints g(q) with a general H; otherwise NULL */
  int negative;            /* number of negative eigenvalues at the start */
};

/* Binds the cell and stores its start in `current`. On failure, returns false and stores the code
 * and the reason in the outcome. Call shk_drive_end in either case. */
bool shk_drive_begin(const struct shk_context *context, struct shk_drive *drive,
                     struct shk_outcome *outcome, const struct shk_cell *cell);
void shk_drive_end(struct shk_drive *drive);
/* Attempts the step from `current` to time t1, and stores the result in `next`. The step fails if
 * the new state is not finite or lies beyond a fold of the hidden constraint. It also fails if the
 * method has changed `current`, which is checked in the first eight steps and then in every
 * sixteenth step. */
struct shk_status shk_drive_step(struct shk_drive *drive, real t1);
/* Makes `next` the current state. */
void shk_drive_accept(struct shk_drive *drive);
/* Restores the start and binds the method again. */
struct shk_status shk_drive_rewind(struct shk_drive *drive);

#endif
