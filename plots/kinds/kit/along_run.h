/*
 * A quantity along the run, from the recorded series of interval minima, means and maxima.
 *
 * One run of each method is drawn: of the steps, the one that most methods have a run of, the
 * middle one of several; with tolerances the tightest. On a logarithmic axis stands the largest
 * size of each of at most SHK_LINE_INTERVALS intervals; zeros are passed over.
 */
#ifndef PLOTS_KINDS_KIT_ALONG_RUN_H
#define PLOTS_KINDS_KIT_ALONG_RUN_H

#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"

struct shk_along_run {
  double low, high; /* of the sizes that are drawn, zeros left out */
  double until;
};
extern const struct shk_along_run shk_along_run_of_nothing;

/* Writes time, minimum, mean, maximum and largest size, in at most so many rows, and extends the
 * ranges. Returns the block. */
int shk_along_run_write(struct shk_figure *figure, const struct shk_record *run,
                        enum shk_series_id id, int most, struct shk_along_run *extent);
/* Adds the lines of such a block, and a few marks on them at places of the method's own. */
void shk_along_run_lines(struct shk_panel *panel, int index, const char *columns, int method,
                         int methods, int rows);
/* How many rows are written. */
int shk_along_run_rows(const struct shk_record *run, enum shk_series_id id, int most);
void shk_along_run_log_axis(struct shk_axis *axis, const struct shk_along_run *extent);

/* The head of the key's column of values; and the line of a method: step or tolerance, and that
 * scalar of the run. */
void shk_along_run_key_head(struct shk_figure *figure, const char *plain, const char *latex);
void shk_along_run_key(struct shk_figure *figure, int method, const char *name,
                       const struct shk_record *run, enum shk_quantity_id quantity);

#endif
