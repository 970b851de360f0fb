/* The run that a figure along the run shows for each method. */
#ifndef PLOTS_CANVAS_SHOWN_RUNS_H
#define PLOTS_CANVAS_SHOWN_RUNS_H

#include "plots/canvas/drawing.h"

/* Runs by method. */
struct shk_runs {
  int count;
  const struct shk_record **of; /* NULL if the method has no run */
  bool same_step;               /* true if all have the same step or tolerance */
  bool any_finished;
};

/* Chooses for each method a run of a group that has this series (SHK_NO_SERIES: samples). It is the
 * run whose step is nearest to the step of most methods, or the run with the smallest tolerance.
 * The runs stay in memory until shk_drawing_put_back is called. */
struct shk_runs shk_drawing_runs(struct shk_drawing *drawing, int group, const char *precision,
                                 enum shk_series_id series);
/* Releases the runs from all calls of shk_drawing_runs. */
void shk_drawing_put_back(struct shk_drawing *drawing);
/* Returns the series of a record, or NULL if it has no intervals or if the record is NULL. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id);
/* Returns the energy drift of a run, or NULL if the study does not measure it or the run did not
 * finish. */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* Chooses runs in the same way as shk_drawing_runs and begins their panel: adds the methods, the
 * ends of their runs and, in the caption, the steps. `words` returns the text after a method's
 * name, or NULL. If a run stopped early, the time that it reached replaces this text. Returns false
 * if there are no runs. */
typedef struct shk_phrase shk_run_words(const struct shk_drawing *drawing,
                                        const struct shk_record *run);
bool shk_chart_runs(struct shk_drawing *drawing, struct shk_chart *chart, struct shk_runs *runs,
                    int group, const char *precision, enum shk_series_id series,
                    shk_run_words *words);
/* Begins a run's block, with the method's name and a comment that gives the columns, method, step
 * and status. */
void shk_chart_run_block(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *run, const char *columns);

/* Returns true if a run keeps the constraints, or the hidden ones, to within a few times their
 * floor. */
bool shk_is_rounding(const struct shk_outcome *outcome, bool hidden);

/* Returns the run whose crossings of singular configurations are numbered in figures: the run of
 * the first method with any, unless it has too many. Returns NULL if there is none. If other
 * methods have crossings, the caption names the method. */
const struct shk_record *shk_numbered_run(const struct shk_drawing *drawing,
                                          struct shk_chart *chart, const struct shk_runs *runs);

#endif
