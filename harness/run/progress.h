/*
 * How far a schedule is: a bar with an estimate on a terminal, now and then a plain line elsewhere.
 * All of it on standard error.
 */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include <stdbool.h>

struct shk_progress {
  bool shown, terminal, colour;
  int total, done, failed;
  double weight_total, weight_done; /* cost of cells in steps */
  double seconds;                   /* that the cells took which have ended */
  double started, drawn;            /* of a steady clock */
};

/* `quiet` shows nothing. Colour obeys NO_COLOR and TERM=dumb. */
void shk_progress_begin(struct shk_progress *progress, int total, double weight, bool quiet);
/* A cell has ended. */
void shk_progress_step(struct shk_progress *progress, double weight, bool failed);
/* Seconds from now to the end, at the mean cost of a step of what has ended, on so many servers,
 * all of which are busy; NaN while nothing has ended. */
double shk_progress_left(const struct shk_progress *progress, int servers, double now);
/* Draws if it is time to. */
void shk_progress_draw(struct shk_progress *progress, int servers);
/* Clears the bar. */
void shk_progress_end(struct shk_progress *progress);

#endif
