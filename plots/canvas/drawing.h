/* What every kind of figure needs to know of the study. Private to plots/. */
#ifndef PLOTS_CANVAS_DRAWING_H
#define PLOTS_CANVAS_DRAWING_H

#include "harness/analysis/analysis.h"
#include "plots/canvas/figure.h"

/* A group of cells: a problem with its start and horizon. */
struct shk_drawn_group {
  bool used;        /* has cells that are measured and selected */
  char *problem;    /* as shown */
  char *slug;       /* as in file names */
  const char *unit; /* " (s)" where the problem is in SI, else empty; and of the energy */
  const char *energy_unit;
  int cell_count, curve_count;
  int *cells;                      /* those that are measured, indices into the plan */
  const struct shk_curve **curves; /* of the analysis */
};

struct shk_drawing {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_record *const *records; /* without their parts, unless these are taken */
  struct shk_records *parts;               /* where they are taken; NULL: all are there */
  struct shk_taken {
    int count, *cells;
  } * taken; /* by shk_drawing_runs since the last figure */
  const struct shk_analysis *analysis;
  const char *directory;
  const char *const *types;
  struct shk_message *error;
  const struct shk_study_figure *asked; /* selection and width; NULL: everything, by default */
  int method_count, group_count, drawn;
  int left_out;         /* groups that were too many to be drawn */
  const char **methods; /* integrators, in the order of the study */
  struct shk_drawn_group *groups;
};

/* Fills in methods and groups, the other members being there; and frees them. Methods are those of
 * the whole study, so that each has one style in all figures; groups hold what is selected. */
void shk_drawing_gather(struct shk_drawing *drawing);
void shk_drawing_clear(struct shk_drawing *drawing);

/* The integrator's place among the methods: its colour, mark and dashes. */
int shk_drawing_method(const struct shk_drawing *drawing, const char *integrator);

/* The runs of a group that a figure along the run is made of, by method: of the steps, the one that
 * is selected, or else the one that most methods have a run of, the middle one of several; with
 * tolerances the tightest. Only runs that have the series of that name count; NULL: that have
 * samples. NULL where there is none; *count is how many there are. The caller frees the array; the
 * runs have their samples and series until the figures of the next group are begun. */
const struct shk_record **shk_drawing_runs(const struct shk_drawing *drawing, int group,
                                           const char *precision, const char *series, int *count);
/* Puts back what was taken. */
void shk_drawing_put_back(const struct shk_drawing *drawing);
/* The series of that name, if it has intervals; NULL else, and for NULL. */
const struct shk_series *shk_drawn_series(const struct shk_record *record, const char *name);

/* What the energy does in that run; NULL if the study does not measure it, or the run did not
 * finish.
 */
const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record);

/* Begins a figure of the whole study, `kind[-part]`. */
void shk_drawing_begin_study(const struct shk_drawing *drawing, struct shk_figure *figure,
                             const char *kind, const char *part, int rows, int columns);
/* Begins a figure `kind-problem[-part][-part]` and says in its data what it is of. */
void shk_drawing_begin(const struct shk_drawing *drawing, struct shk_figure *figure,
                       const char *kind, int group, const char *block, const char *precision,
                       int rows, int columns);
/* A line of the key for the heads of columns from `x` on: beside the problem where that is short.
 */
int shk_drawing_head(struct shk_figure *figure, double x);
/* Draws it, and counts it. False with the message set. */
bool shk_drawing_finish(struct shk_drawing *drawing, struct shk_figure *figure);

/* ---- the plane of states (portrait.c) ---- */

struct shk_box {
  double left, right, bottom, top;
};
extern const struct shk_box shk_box_of_nothing;
void shk_box_extend(struct shk_box *box, const double *x, const double *y, int count);
/* Whether points are close enough to be joined by a line. Lengths are measured in units of the
 * path's own extent. */
bool shk_path_is_close(const double *x, const double *y, int count);
/* Ranges with room around the box; with `equal`, a unit has one length on both axes, and the panel
 * is made as high as that needs, between half and one and a quarter times its width. */
void shk_panel_ranges(struct shk_figure *figure, struct shk_panel *panel, struct shk_box box,
                      bool equal);
/* A method's line in the key: its step or tolerance, or how far a run came that stopped early. */
void shk_drawing_run_line(struct shk_figure *figure, int method, const char *name,
                          const struct shk_record *run);

/* Precisions, in the order in which they are shown; ended by NULL. */
extern const char *const shk_drawn_precisions[];

/* The error axis of a block: "max error in q (relative)". */
struct shk_label shk_error_label(const char *block, const char *energy_unit);

#endif
