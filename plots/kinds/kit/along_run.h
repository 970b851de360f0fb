/*
 * A quantity along the run, from the recorded series of interval minima, means and maxima.
 *
 * Oscillations faster than a figure can show are replaced by an envelope: the largest, the smallest
 * and the mean over several intervals, chosen so that the line has few turns. A quantity that stays
 * at round-off is drawn as a band from its smallest to its largest size.
 */
#ifndef PLOTS_KINDS_KIT_ALONG_RUN_H
#define PLOTS_KINDS_KIT_ALONG_RUN_H

#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"

struct shk_along_run {
  double low, high, stopped; /* sizes of runs that finished, without zeros; of those that stopped */
  double least, most;        /* of the values */
  double until;
};
extern const struct shk_along_run shk_along_run_of_nothing;

/* Writes a block of a run in at most `most` rows, a gap if it lacks the series, and extends the
 * ranges. Columns: time, minimum, mean, maximum, largest size, the same four of the envelope, and
 * the least size of a run that stays at round-off, else NaN. */
void shk_along_run_write(struct shk_chart *chart, const struct shk_record *run, const char *name,
                         enum shk_series_id id, int most, struct shk_along_run *extent);
/* Sets the logarithmic range of the sizes. */
void shk_along_run_range(struct shk_chart *chart, int number, const struct shk_along_run *extent);

#endif
