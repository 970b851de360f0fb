/*
 * A quantity along the run, from the recorded series of interval minima, means and maxima.
 *
 * Oscillations faster than a figure can show are replaced by an envelope: the largest, the smallest
 * and the mean over as many intervals as give a line few turns. A quantity that stays
 * at round-off is drawn as a band from its smallest to its largest size.
 */
#ifndef PLOTS_KINDS_KIT_ALONG_RUN_H
#define PLOTS_KINDS_KIT_ALONG_RUN_H

#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"

/* Writes panel `panel`, from 1, of a chart of runs: a block for each method, a gap if its run lacks
 * the series. Columns: time; minimum, mean and maximum; size, the largest of their absolute values;
 * the least size of a run that stays at round-off, else NaN. Sets range_PANEL to the logarithmic
 * range of sizes, at most a hundred times that of runs that finished, and extent_PANEL to their
 * least and largest value. */
void shk_along_run_write(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_runs *runs, int panel, enum shk_series_id series);

#endif
