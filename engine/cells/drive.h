/*
 * The driver of an integration: owns the states, checks what a step returns, and keeps the last
 * good state. Steps of `run` and `simulate` go through here.
 */
#ifndef ENGINE_CELLS_DRIVE_H
#define ENGINE_CELLS_DRIVE_H

#include "engine/bind.h"
#include "mechanics/diagnosis/well_posed.h"

#include <stdint.h>

struct shk_drive {
  struct shk_bound bound;
  struct shk_state current, next;
  unsigned long tries; /* of steps */
  bool looks;          /* at whether the present one writes over the state that it was given */
  uint64_t sum;        /* of that state, if so */
  /* Constraints that depend on momenta, and constraints g(q) under a general H: the inertia of
   * {{H,g_i},g_j} must stay that of the start, since its change is the only trace of a fold that
   * was stepped over. */
  bool watches;
  struct shk_folds *folds; /* the latter; NULL for the former */
  int negative;            /* its negative eigenvalues */
};

/* Binds the cell and places its start in `current`. False with code and reason in the outcome;
 * shk_drive_end must follow either way. */
bool shk_drive_begin(const struct shk_context *context, struct shk_drive *drive,
                     struct shk_outcome *outcome, const struct shk_cell *cell);
void shk_drive_end(struct shk_drive *drive);
/* Tries the step from `current` to time t1, into `next`. A step to a state that is not finite, or
 * beyond a fold of the hidden constraint, has failed, and so has one that is seen to write over
 * `current`: the first eight are looked at, and every sixteenth. */
struct shk_status shk_drive_step(struct shk_drive *drive, real t1);
/* Makes `next` the current state. */
void shk_drive_accept(struct shk_drive *drive);
/* Back to the start, with the method bound again. */
struct shk_status shk_drive_rewind(struct shk_drive *drive);
/* Writes a failure into the outcome, with the residual history of the method. */
void shk_drive_fail(const struct shk_drive *drive, struct shk_outcome *outcome,
                    struct shk_status status);

/* The number of steps in `time`, both decimal texts, since single has too few digits for it; -1
 * unless that is whole to 1e-9. */
long shk_whole_steps(const char *time, const char *step);

#endif
