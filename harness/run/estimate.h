/*
 * How long the rest of a schedule takes. What a cell takes is learnt from those that have ended: of its
 * integrator, problem and precision, else of its integrator and problem, of its integrator, of all.
 */
#ifndef HARNESS_RUN_ESTIMATE_H
#define HARNESS_RUN_ESTIMATE_H

#include "foundation/specifications/cell.h"

struct shk_estimate_cell;
struct shk_estimate_group;

/* Zeroed, it has no cells. */
struct shk_estimate {
  int count, group_count;
  struct shk_estimate_cell *cells;
  struct shk_estimate_group *groups;
  double overhead; /* of a cell, in seconds */
};

/* A guess of the cost, in double-precision steps of a small system. */
double shk_guess_steps(const struct shk_cell *cell);

/* These cells, all of which are to be run; `untimed` (scheduler.h): each once. */
void shk_estimate_begin(struct shk_estimate *estimate, const struct shk_cell *const *cells,
                        int count, bool untimed);
/* Whether the cell is to be run before others, so that something is known of what is like it. */
bool shk_estimate_is_probe(const struct shk_estimate *estimate, int cell);
/* The cell was given to a worker at that time; NaN: it waits again. */
void shk_estimate_began(struct shk_estimate *estimate, int cell, double time);
/* Its record has come. */
void shk_estimate_ended(struct shk_estimate *estimate, int cell, double time);
/* Seconds from now to the end of a schedule that began at `start`; NaN while nothing has begun. */
double shk_estimate_left(struct shk_estimate *estimate, double start, double now);
void shk_estimate_clear(struct shk_estimate *estimate);

#endif
