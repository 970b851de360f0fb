/*
 * Progress of a schedule on standard error: on a terminal a bar with an estimate of the time left,
 * elsewhere a plain line from time to time.
 */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include <stdbool.h>

struct shk_progress {
  bool shown, terminal;
  int total, done, failed;
  double weight_total, weight_done; /* cost of cells, in steps */
  double seconds;                   /* run time of the finished cells */
  double started, drawn;            /* s, on a monotonic clock */
  double delay;                     /* s after the start before anything is shown */
  const char *what;                 /* is counted: "cells" */
};

/* Begins with totals of zero, to which the caller adds. quiet: nothing is shown. TERM=dumb: no
 * bar. */
void shk_progress_begin(struct shk_progress *progress, bool quiet);
/* Adds a cell that has ended. failed: it is shown as not ok. */
void shk_progress_step(struct shk_progress *progress, double weight, bool failed);
/* Returns an estimate of the seconds left, from the mean cost per step of the finished cells, with
 * all servers busy; NaN before the first cell has finished. */
double shk_progress_left(const struct shk_progress *progress, int servers, double now);
/* Draws if the display is due: every 0.1 s on a terminal, every 10 s elsewhere. */
void shk_progress_draw(struct shk_progress *progress, int servers);
/* Writes a line, in front of the bar if there is one; also if nothing else is shown. */
void shk_progress_say(struct shk_progress *progress, const char *line);
/* Clears the bar. */
void shk_progress_end(struct shk_progress *progress);

#endif
