/* Selects the run that a figure of quantities along a run shows for each method. */
#ifndef PLOTS_CANVAS_SHOWN_RUNS_H
#define PLOTS_CANVAS_SHOWN_RUNS_H

#include "plots/canvas/drawing.h"

/* Runs by method. */
struct shk_runs {
  int count;
  const struct shk_record **of; /* NULL if the method has no run */
  bool same_step;               /* true if all runs have the same step size or tolerance */
  bool any_finished;
};

/* For each method, chooses one of the group's runs that contain the given series (or samples, if
 * `series` is SHK_NO_SERIES). It is the run whose step size is nearest to the one that most methods
 * use, or the run with the smallest tolerance. The runs remain in memory until shk_drawing_put_back
 * is called. */
struct shk_runs shk_drawing_runs(struct shk_drawing *drawing, int group, const char *precision,
                                 enum shk_series_id series);
/* Releases the runs returned by all calls to shk_drawing_runs. */
void shk_drawing_put_back(struct shk_drawing *drawing);
/* Returns a series of a record, or NULL if the series has no intervals or the record is NULL. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id);
/* Returns the energy drift of a run, or NULL if the study does not measure the drift or the run did
 * not finish. */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* Chooses runs like shk_drawing_runs and begins their panel: adds the methods, the times at which
 * their runs ended and, in the caption, the step sizes. `words`, which can be NULL, returns the
 * text after a method's name. If a run stopped early, the time that it reached is shown instead of
 * this text. Returns false if there are no runs. */
typedef struct shk_phrase shk_run_words(const struct shk_drawing *drawing,
                                        const struct shk_record *run);
bool shk_chart_runs(struct shk_drawing *drawing, struct shk_chart *chart, struct shk_runs *runs,
                    int group, const char *precision, enum shk_series_id series,
                    shk_run_words *words);
/* Begins a run's data block with the method's name and with a comment that describes the columns,
 * method, step size and status. */
void shk_chart_run_block(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *run, const char *columns);

/* Returns true if a run satisfies the constraints (the hidden ones if `hidden` is true) to within a
 * few times their floor. */
bool shk_is_rounding(const struct shk_outcome *outcome, bool hidden);

/* Returns the run whose crossings of singular configurations are numbered in the figure: that of
 * the first method with any crossings. Returns NULL if there is no such run or if it has too many
 * crossings. If the panel shows several runs, the caption names the method. */
const struct shk_record *shk_numbered_run(const struct shk_drawing *drawing,
                                          struct shk_chart *chart, const struct shk_runs *runs);

#endif
