/*
 * How far a schedule is: a bar with an estimate on a terminal, now and then a plain line elsewhere.
 * All of it on standard error.
 */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include "harness/run/estimate.h"
#include <stdbool.h>

struct shk_progress {
  bool shown, terminal, colour;
  int total, done, failed;
  double weight_total, weight_done; /* estimates of cost, in any unit */
  double started, drawn, estimated; /* seconds of a steady clock */
  double left;                      /* by the last estimate; NaN: none */
};

/* `quiet` shows nothing. Colour obeys NO_COLOR and TERM=dumb. */
void shk_progress_begin(struct shk_progress *progress, int total, double weight, bool quiet);
/* A cell has ended. */
void shk_progress_step(struct shk_progress *progress, double weight, bool failed);
/* Draws if it is time to. */
void shk_progress_draw(struct shk_progress *progress, struct shk_estimate *estimate);
/* Clears the bar. */
void shk_progress_end(struct shk_progress *progress);

#endif
