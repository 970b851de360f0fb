/* Which run of each method a figure along the run shows. */
#ifndef PLOTS_CANVAS_SHOWN_RUNS_H
#define PLOTS_CANVAS_SHOWN_RUNS_H

#include "plots/canvas/drawing.h"

/* The runs of a group that a figure along the run is made of, by method: of the steps, the one that
 * is selected, or else the one that most methods have a run of, the middle one of several; with
 * tolerances the tightest. Only runs that have that series count; SHK_NO_SERIES: that have
 * samples. NULL where there is none; *count is how many there are. The caller frees the array; the
 * runs have their samples and series until the figures of the next group are begun. */
const struct shk_record **shk_drawing_runs(const struct shk_drawing *drawing, int group,
                                           const char *precision, enum shk_series_id series,
                                           int *count);
/* Puts back what was taken. */
void shk_drawing_put_back(const struct shk_drawing *drawing);
/* The series, if it has intervals; NULL else, and for NULL. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id);

/* What the energy does in that run; NULL if the study does not measure it, or the run did not
 * finish.
 */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* "0.1", of so many digits, or "tol. 10⁻⁶"; empty if it chooses its own. */
struct shk_label shk_step_label(const struct shk_cell *cell, int digits);

/* How a chart names its runs: a step that all have stands in its head; where they differ each row
 * of the legend has its own, rounded to what tells them apart. */
struct shk_run_names {
  bool common;
  int digits;
};
struct shk_run_names shk_name_runs(struct shk_chart *chart, const struct shk_record *const *runs,
                                   int count);
/* What stands behind a method's name: the step where steps differ, and our text or, of a run that
 * stopped early, how far it came. */
struct shk_label shk_run_label(const struct shk_run_names *names, const struct shk_record *run,
                               struct shk_label text);
/* Begins the chart of a group's runs, of which it has the methods and their names. NULL where there
 * is no run; the caller frees the array. */
const struct shk_record **shk_chart_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                                         int group, const char *precision,
                                         enum shk_series_id series, struct shk_run_names *names);
/* The rows of its legend, with that scalar of each run behind a word; SHK_QUANTITIES: none. */
void shk_chart_name_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *const *runs, const struct shk_run_names *names,
                         const char *word, enum shk_quantity_id quantity);

#endif
