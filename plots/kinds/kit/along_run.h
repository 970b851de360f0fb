/*
 * A quantity along the run, from the recorded series of interval minima, means and maxima.
 *
 * One run of each method is drawn: of the steps, the one that most methods have a run of, the
 * middle one of several; with tolerances the tightest. What goes to and fro faster than the figure can
 * show is drawn as its envelope: over so many intervals the largest, the smallest and the mean that
 * a line has few turns. On a logarithmic axis stands the largest size; zeros are passed over. There a
 * quantity that stays at round-off is a band from its smallest to its largest size, and a line at
 * the largest.
 */
#ifndef PLOTS_KINDS_KIT_ALONG_RUN_H
#define PLOTS_KINDS_KIT_ALONG_RUN_H

#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"

struct shk_along_run {
  double low, high;   /* of the sizes that are drawn, zeros left out */
  double least, most; /* of the values */
  double until;
};
extern const struct shk_along_run shk_along_run_of_nothing;

/* A run's block of data: index, how many rows, whether it stays at round-off. */
struct shk_along_block {
  int index, rows;
  bool round_off;
};

/* Writes time, minimum, mean, maximum, largest size, and the same four of the envelope, in at most so
 * many rows, and extends the ranges. */
struct shk_along_block shk_along_run_write(struct shk_figure *figure, const struct shk_record *run,
                                           enum shk_series_id id, int most,
                                           struct shk_along_run *extent);
/* Adds the line of such a block, with a few marks on it at places of the method's own: of the largest
 * size. */
void shk_along_run_sizes(struct shk_panel *panel, struct shk_along_block block, int method,
                         int methods);
/* The same of the mean, times a power of ten, on the band between the extremes. */
void shk_along_run_values(struct shk_panel *panel, struct shk_along_block block, int power,
                          int method, int methods);
void shk_along_run_log_axis(struct shk_axis *axis, const struct shk_along_run *extent);

/* The row of a method in the key: its run's step, and that scalar of it. */
void shk_along_run_key(struct shk_figure *figure, const struct shk_key_runs *runs,
                       const struct shk_drawing *drawing, int method, const struct shk_record *run,
                       enum shk_quantity_id quantity);

#endif
