/*
 * Shows the progress of a schedule on standard error. On a terminal, it displays a bar with an
 * estimate of the remaining time; otherwise, it prints a plain line from time to time.
 */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include <stdbool.h>

struct shk_progress {
  bool shown, terminal;
  int total, done, failed;
  double weight_total, weight_done; /* cost of all cells and of the finished cells, in steps */
  double seconds;                   /* total run time of the finished cells */
  /* the times of the start and of the last update, in seconds on a monotonic clock */
  double started, drawn;
  double delay; /* seconds from the start until anything is displayed */
  /* name of the items being counted, in the plural, such as "cells" */
  const char *what;
};

/* Initializes the totals to zero; the caller then adds to them. If `quiet` is true, nothing is
 * displayed. If TERM is `dumb`, no bar is drawn. */
void shk_progress_begin(struct shk_progress *progress, bool quiet);
/* Counts a finished cell. A failed cell is marked as not ok. */
void shk_progress_step(struct shk_progress *progress, double weight, bool failed);
/* Returns the estimated number of seconds left, assuming that all servers stay busy and that each
 * step costs as much as it did in the finished cells. Returns NaN until the first cell has
 * finished. */
double shk_progress_left(const struct shk_progress *progress, int servers, double now);
/* Updates the display if an update is due. Updates are due every 0.1 s on a terminal and every 10 s
 * elsewhere. */
void shk_progress_draw(struct shk_progress *progress, int servers);
/* Prints a line, above the bar if there is one. The line is printed even if no progress is
 * displayed. */
void shk_progress_say(struct shk_progress *progress, const char *line);
/* Erases the bar. */
void shk_progress_end(struct shk_progress *progress);

#endif
