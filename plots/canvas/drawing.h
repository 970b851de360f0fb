/* What every kind of figure needs to know of the study. Private to plots/. */
#ifndef PLOTS_CANVAS_DRAWING_H
#define PLOTS_CANVAS_DRAWING_H

#include "harness/analysis/analysis.h"
#include "plots/canvas/plane.h"

/* A group of cells: a problem with its start and horizon. */
struct shk_drawn_group {
  bool used;         /* has cells that are measured and selected */
  char *problem;     /* with where it starts */
  char *shown;       /* the same as the study calls it */
  const char *until; /* horizon */
  char *slug;        /* as in file names */
  const char *unit;  /* " (s)" where the problem is in SI, else empty; and of the energy */
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
  } * taken; /* by shk_drawing_runs (shown_runs.h) since the last figure */
  const struct shk_analysis *analysis;
  const char *directory; /* NULL: nothing is drawn, and what would be drawn is asked for */
  struct shk_drawn_place place;
  const char *const *types;
  struct shk_message *error;
  const char *kind, *template;          /* of the figure that is drawn */
  const struct shk_study_figure *asked; /* selection and width; NULL: everything, by default */
  int method_count, group_count, drawn;
  int left_out;         /* groups that were too many to be drawn */
  int most_chosen;      /* figures, where it is sparing */
  bool sparing;         /* of several figures that say alike, one will do */
  bool passed_over;     /* figures were */
  const char **methods; /* integrators, in the order of the study */
  char **shown;         /* what the study calls them */
  int *styles;
  struct shk_drawn_group *groups;
};

/* Fills in methods and groups, the other members being there; and frees them. Methods are those of
 * the whole study, so that each has one style in all figures; groups hold what is selected. */
void shk_drawing_gather(struct shk_drawing *drawing);
void shk_drawing_clear(struct shk_drawing *drawing);

/* Whether two problems have one name, whatever their options. */
bool shk_same_problem(const char *a, const char *b);
/* The tolerance or the step of a cell, as text; `none` if it chooses its own. */
const char *shk_cell_step(const struct shk_cell *cell, const char *none);

/* The integrator's place among the methods. */
int shk_drawing_method(const struct shk_drawing *drawing, const char *integrator);

/* Begins a chart: of the whole study, `kind[-part]`. */
void shk_drawing_chart_of_study(const struct shk_drawing *drawing, struct shk_chart *chart,
                                const char *part);
/* Of a part of it that a text describes, "chain, double": it gives the part of the file's name, the
 * title, "`what` of TEXT", and the line above the legend. */
void shk_drawing_chart_of_part(const struct shk_drawing *drawing, struct shk_chart *chart,
                               const char *what, const char *text);
/* Of a group, `kind-problem[-part][-part]`. */
void shk_drawing_chart(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *block, const char *precision);
/* How wide it is, unless the study says it. */
void shk_drawing_width(const struct shk_drawing *drawing, struct shk_chart *chart, double width);
/* Draws it, and counts it. False with the message set. */
bool shk_drawing_draw(struct shk_drawing *drawing, struct shk_chart *chart);

/* Precisions, in the order in which figures of one each are made; ended by NULL. */
extern const char *const shk_drawn_precisions[];

/* A quantity as figures write it, of a block or SHK_BLOCKS: "max |g|". */
struct shk_label shk_quantity_label(enum shk_quantity_id quantity, enum shk_block_id block);
/* The error axis of a block: "max error in q (relative)". */
struct shk_label shk_error_label(enum shk_block_id block, const char *energy_unit);

#endif
