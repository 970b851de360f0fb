/* The run of each method that a figure along the run shows. */
#ifndef PLOTS_CANVAS_SHOWN_RUNS_H
#define PLOTS_CANVAS_SHOWN_RUNS_H

#include "plots/canvas/drawing.h"

/* Runs by method. */
struct shk_runs {
  int count;
  const struct shk_record **of; /* NULL: no run of the method */
  bool same_step;               /* all have one step, or one tolerance */
  bool any_finished;
};

/* Chooses for each method a run of a group that has this series (SHK_NO_SERIES: samples): the run
 * whose step is nearest to that of most methods, or the one of least tolerance. The runs stay in
 * memory until shk_drawing_put_back. */
struct shk_runs shk_drawing_runs(struct shk_drawing *drawing, int group, const char *precision,
                                 enum shk_series_id series);
/* Releases the runs of all calls of shk_drawing_runs. */
void shk_drawing_put_back(struct shk_drawing *drawing);
/* Returns the series of a record; NULL if it has no intervals, and for a NULL record. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id);
/* Returns the energy's drift in a run; NULL if the study does not measure it, or the run did not
 * finish. */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* Chooses runs as shk_drawing_runs and begins their panel: adds the methods, the ends of their runs,
 * and, to the caption, the steps. `words` returns the text after a method's name (NULL: none); a run
 * that stopped early has the time reached in its place. False if there are no runs. */
typedef struct shk_phrase shk_run_words(const struct shk_drawing *drawing,
                                        const struct shk_record *run);
bool shk_chart_runs(struct shk_drawing *drawing, struct shk_chart *chart, struct shk_runs *runs,
                    int group, const char *precision, enum shk_series_id series,
                    shk_run_words *words);
/* Begins a block of a run, with the method's name and a comment: the columns, method, step and
 * status. */
void shk_chart_run_block(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *run, const char *columns);

/* True if the constraints, or the hidden ones, are kept in a run to a few times their floor. */
bool shk_is_rounding(const struct shk_outcome *outcome, bool hidden);

/* Returns the run whose crossings of singular configurations have numbers in figures: that of the first
 * method with any, unless they are many; NULL: none. The caption names the method if there are others. */
const struct shk_record *shk_numbered_run(const struct shk_drawing *drawing,
                                          struct shk_chart *chart, const struct shk_runs *runs);

#endif
