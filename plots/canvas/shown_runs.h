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

/* How the key names the runs of a figure: a step that all have stands in the title; where they differ
 * there is a column of steps, rounded to what tells them apart. */
struct shk_key_runs {
  bool common;
  int digits;
  int column; /* the first one that is free */
};
/* Of so many runs, some of them NULL. */
struct shk_key_runs shk_key_of_runs(struct shk_figure *figure, const struct shk_record *const *runs,
                                    int count);
/* A method's row: its step, or how far the run came that stopped early. */
void shk_key_run(struct shk_figure *figure, const struct shk_key_runs *runs,
                 const struct shk_drawing *drawing, int method, const struct shk_record *run);
/* The value of a run under a name that is there already. */
void shk_key_run_step(struct shk_figure *figure, const struct shk_key_runs *runs,
                      const struct shk_record *run);

#endif
