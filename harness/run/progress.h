/*
 * Shows the progress of a schedule on standard error: a bar with an estimate of the remaining time
 * on a terminal, and a plain line from time to time elsewhere.
 */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include <stdbool.h>

struct shk_progress {
  bool shown, terminal;
  int total, done, failed;
  double weight_total, weight_done; /* total and finished cost of the cells, in steps */
  double seconds;                   /* total run time of the finished cells */
  double started, drawn;            /* start and last display, in s on a monotonic clock */
  double delay;                     /* s after the start before anything is displayed */
  const char *what;                 /* the plural of what is counted, such as "cells" */
};

/* Starts with totals of zero, to which the caller adds. If `quiet` is true, nothing is displayed.
 * If TERM is `dumb`, there is no bar. */
void shk_progress_begin(struct shk_progress *progress, bool quiet);
/* Counts a cell that has ended. A failed cell is displayed as not ok. */
void shk_progress_step(struct shk_progress *progress, double weight, bool failed);
/* Returns the estimated number of seconds left, assuming that all servers stay busy and that steps
 * cost as much as in the finished cells. Returns NaN before the first cell has finished. */
double shk_progress_left(const struct shk_progress *progress, int servers, double now);
/* Updates the display if it is due: every 0.1 s on a terminal, every 10 s elsewhere. */
void shk_progress_draw(struct shk_progress *progress, int servers);
/* Prints a line, above the bar if there is one. The line is printed even if no progress is
 * displayed. */
void shk_progress_say(struct shk_progress *progress, const char *line);
/* Erases the bar. */
void shk_progress_end(struct shk_progress *progress);

#endif
