/* The run of each method that a figure along the run shows. */
#ifndef PLOTS_CANVAS_SHOWN_RUNS_H
#define PLOTS_CANVAS_SHOWN_RUNS_H

#include "plots/canvas/drawing.h"

/* The runs of a group with this series for a figure along the run, by method; NULL: none; *count is
 * their number. SHK_NO_SERIES: runs with samples. The caller frees the array; samples and series
 * stay until the next group begins. */
const struct shk_record **shk_drawing_runs(const struct shk_drawing *drawing, int group,
                                           const char *precision, enum shk_series_id series,
                                           int *count);
/* Releases the parts that shk_drawing_runs took. */
void shk_drawing_put_back(const struct shk_drawing *drawing);
/* The series, if it has intervals; otherwise, and for NULL, NULL. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id);

/* The energy's drift in that run; NULL if the study does not measure it, or the run did not
 * finish. */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* Text of a step with this number of digits, "0.1", or of a tolerance, "tol. 10⁻⁶"; empty if the
 * method chooses its own. */
struct shk_label shk_step_label(const struct shk_cell *cell, int digits);

/* Names of the runs in a chart. A step that all have is in the head of the legend; otherwise each
 * row of the legend has its own, with as many digits as distinguish them. */
struct shk_run_names {
  bool common;
  int digits;
};
struct shk_run_names shk_name_runs(struct shk_chart *chart, const struct shk_record *const *runs,
                                   int count);
/* Text after a method's name: the step if steps differ, and a fixed text or, for a run that stopped
 * early, the time reached. */
struct shk_label shk_run_label(const struct shk_run_names *names, const struct shk_record *run,
                               struct shk_label text);
/* Begins the chart of a group's runs: adds their methods, and computes their names. NULL if there
 * is no run; the caller frees the array. */
const struct shk_record **shk_chart_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                                         int group, const char *precision,
                                         enum shk_series_id series, struct shk_run_names *names);
/* Writes the rows of the legend, with that scalar of each run after a word; SHK_QUANTITIES:
 * none. */
void shk_chart_name_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *const *runs, const struct shk_run_names *names,
                         const char *word, enum shk_quantity_id quantity);

#endif
