/* The study data that all kinds of figure need. Private to plots/. */
#ifndef PLOTS_CANVAS_DRAWING_H
#define PLOTS_CANVAS_DRAWING_H

#include "foundation/index.h"
#include "harness/analysis/analysis.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/styles.h"

/* Figures to draw, and their data. records[i] belongs to plan->cells[i] and is NULL if there is
 * none. */
struct shk_plot_request {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  /* Source from which the parts of records are read, one figure at a time. NULL if the records
   * already have all their parts. */
  struct shk_records *parts;
  const struct shk_analysis *analysis;
  /* The directory is created if it does not exist. If it is NULL, nothing is drawn. */
  struct shk_plot_files files;
  /* Maximum number of figures per request of the study, or in total if the study has no requests; 0
   * means no limit. */
  int most;
};

struct shk_figure_kind;

/* A group of cells: a problem with its start and horizon. */
struct shk_drawn_group {
  bool selected;     /* true if some of its cells are measured and selected */
  bool used;         /* true if, in addition, its runs have the kind's measure */
  char *problem;     /* specification and start */
  char *shown;       /* the study's name for it */
  const char *until; /* horizon */
  char *slug;        /* its name in file names */
  bool si;           /* true if the problem is in SI units */
  int begin, end;    /* range of the drawing's cells that contains the group's cells */
};

/* A measured cell that the figure selects. */
struct shk_drawn_cell {
  int index, group, method; /* index: position in the plan */
  const struct shk_cell *cell;
  const struct shk_record *record; /* NULL: none */
};

struct shk_drawing {
  const struct shk_plot_request *from;
  /* Cells whose parts shk_drawing_runs has taken since the last figure, and the lists that it
   * returned. */
  int taken_count, *taken, list_count;
  void **lists;
  struct shk_message *error;
  const char *kind, *template; /* those of the current figure */
  const struct shk_figure_kind *entry;
  const struct shk_study_figure *asked; /* selection of the figure or panel, or NULL for all */
  int group_count, cell_count;
  struct shk_index methods; /* integrators, in the order of the study */
  char **shown;             /* the study's names for them */
  struct shk_look *looks;
  struct shk_drawn_group *groups;
  struct shk_drawn_cell *cells; /* in the order of the plan */
  int missed_count;             /* cells that are excluded only because of their step */
  struct shk_drawn_cell *missed;
  /* A kind can draw several figures of a group. It is called for each variant, starting from 0, and
   * sets the number of variants, a name suffix, and `whole` if the figure shows all groups with the
   * problem's name. */
  int variant, variants;
  bool whole;
  struct shk_phrase suffix;
  int most_runs; /* number of runs that shk_chart_runs adds; 0 for all */
};

/* Fills in methods, groups and cells from the other members. Includes all methods of the study, so
 * that each method has the same style in all figures. shk_drawing_clear frees them. */
void shk_drawing_gather(struct shk_drawing *drawing);
void shk_drawing_clear(struct shk_drawing *drawing);

/* Returns true if two problems have the same name, whatever their options. */
bool shk_same_problem(const char *a, const char *b);
/* Returns the next selected group from *at on with a problem of this name, and moves *at past it.
 * Returns -1 after the last group. */
int shk_drawing_next_group(const struct shk_drawing *drawing, int *at, const char *problem);
/* Returns true if this is the first selected group with a problem of its name. */
bool shk_drawing_is_first(const struct shk_drawing *drawing, int group);
/* Returns the tolerance or the step of a cell as text, or `none` if the method chooses its own
 * steps. */
const char *shk_cell_step(const struct shk_cell *cell, const char *none);
/* Returns the next cell of a group from *at on with this kind (such as "run") and precision, and
 * moves *at past it. Returns NULL after the last cell. */
const struct shk_drawn_cell *shk_drawing_next(const struct shk_drawing *drawing, int *at, int group,
                                              const char *kind, const char *precision);
/* Returns the curve of a method, or NULL if it is not selected or has no positive error. */
const struct shk_curve *shk_drawing_curve(const struct shk_drawing *drawing, int group,
                                          enum shk_block_id block, const char *precision,
                                          int method);

/* Begins a panel of the current kind, with the study's ranges for the kind's axes. Its title is the
 * group's problem or, if the drawing is `whole`, only the problem's bare name. */
struct shk_panel *shk_drawing_panel(const struct shk_drawing *drawing, struct shk_chart *chart,
                                    int group);
/* Adds a method of the study to the panel, with a text after its name (or ""). */
void shk_drawing_add(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                     const char *words);
/* Sets the label of an axis, "xlabel" or "ylabel", to that of a quantity, such as "max |g|", with a
 * unit. `block` is SHK_BLOCKS unless the quantity belongs to a block; `parameter`, which can be
 * NULL, is then used instead. */
void shk_chart_quantity(struct shk_chart *chart, const char *name, enum shk_quantity_id quantity,
                        enum shk_block_id block, const char *parameter, const char *unit);
/* Sets the label of the horizontal axis to the time or the step of a group. */
void shk_chart_time(struct shk_chart *chart, const struct shk_drawn_group *group);
void shk_chart_step(struct shk_chart *chart, const struct shk_drawn_group *group);

/* The precisions in the order of their figures, terminated by NULL. */
extern const char *const shk_drawn_precisions[];

#endif
