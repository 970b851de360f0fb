/* Study data used by all kinds of figures. Private to plots/. */
#ifndef PLOTS_CANVAS_DRAWING_H
#define PLOTS_CANVAS_DRAWING_H

#include "foundation/index.h"
#include "harness/analysis/analysis.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/styles.h"

/* A request to draw figures, with their data. records[i] belongs to plan->cells[i]; it is NULL if
 * that cell has no record. */
struct shk_plot_request {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  /* Source from which the parts of records are read, one figure at a time, or NULL if the records
   * are already complete. */
  struct shk_records *parts;
  const struct shk_analysis *analysis;
  /* The output directory is created if it does not exist. If it is NULL, nothing is drawn. */
  struct shk_plot_files files;
  /* Maximum number of figures per request in the study, or in total if the study contains no
   * requests. 0 means no limit. */
  int most;
};

struct shk_figure_kind;

/* A group of cells that have the same problem, start and horizon. */
struct shk_drawn_group {
  bool selected; /* true if some of its cells are measured and selected */
  /* true if, in addition, its runs include the measure that the kind of figure needs */
  bool used;
  char *problem;     /* specification and start */
  char *shown;       /* the study's name for the problem */
  const char *until; /* horizon */
  char *slug;        /* name of the group in file names */
  bool si;           /* true if the problem is in SI units */
  int begin, end;    /* the range of the drawing's cells that make up the group */
};

/* A measured cell selected for the figure. */
struct shk_drawn_cell {
  /* the index of the cell in the plan, and the indices of its group and method */
  int index, group, method;
  const struct shk_cell *cell;
  const struct shk_record *record; /* NULL if there is none */
};

struct shk_drawing {
  const struct shk_plot_request *from;
  /* The cells for which shk_drawing_runs has read parts of records since the last figure, and the
   * lists that it has returned. */
  int taken_count, *taken, list_count;
  void **lists;
  struct shk_message *error;
  const char *kind, *template; /* kind and template of the current figure */
  const struct shk_figure_kind *entry;
  /* the selection of the figure or panel, or NULL to select everything */
  const struct shk_study_figure *asked;
  int group_count, cell_count;
  struct shk_index methods; /* integrators, in study order */
  char **shown;             /* the study's names for the integrators */
  struct shk_look *looks;
  struct shk_drawn_group *groups;
  struct shk_drawn_cell *cells; /* in plan order */
  int missed_count;             /* number of cells excluded only because of their step size */
  struct shk_drawn_cell *missed;
  /* A kind can draw several figures for a group, called variants. It is called once per variant,
   * starting from 0. It sets the number of variants, a suffix for the file name and, if the figure
   * shows all groups with the problem's name, `whole`. */
  int variant, variants;
  bool whole;
  struct shk_phrase suffix;
  struct shk_phrase title; /* beginning of the caption, if it is not that of the kind */
  int most_runs;           /* maximum number of runs that shk_chart_runs adds; 0 means no limit */
  const char *swept;       /* the option that is on the horizontal axis, or NULL */
  bool several_parts;      /* true if the panels of a problem show different parts of the kind */
};

/* Fills in methods, groups and cells from the other members. All methods of the study are included,
 * so that each method has the same style in every figure. shk_drawing_clear frees the members that
 * were filled in. */
void shk_drawing_gather(struct shk_drawing *drawing);
void shk_drawing_clear(struct shk_drawing *drawing);
/* Chooses the appearance of methods with these names, which the study's styles override.
 * company[i * count + j] tells how often methods i and j are drawn together. */
void shk_drawing_looks(const struct shk_drawing *drawing, struct shk_look *looks,
                       const struct shk_index *names, const int *company);

/* Returns true if two problems have the same name, regardless of their options. */
bool shk_same_problem(const char *a, const char *b);
/* Returns the index of the next selected group, starting from *at, whose problem has the given
 * name, and advances *at past it. Returns -1 after the last such group. */
int shk_drawing_next_group(const struct shk_drawing *drawing, int *at, const char *problem);
/* Returns true if this is the first selected group whose problem has its name. */
bool shk_drawing_is_first(const struct shk_drawing *drawing, int group);
/* Returns the tolerance or the step size of a cell as a string, or `none` if the method chooses its
 * own steps. */
const char *shk_cell_step(const struct shk_cell *cell, const char *none);
/* Returns the next cell of a group, starting from *at, with the given kind (such as "run") and
 * precision, and advances *at past it. Returns NULL after the last such cell. */
const struct shk_drawn_cell *shk_drawing_next(const struct shk_drawing *drawing, int *at, int group,
                                              const char *kind, const char *precision);
/* Returns the error curve of a method, or NULL if the curve is not selected or has no positive
 * error. */
const struct shk_curve *shk_drawing_curve(const struct shk_drawing *drawing, int group,
                                          enum shk_block_id block, const char *precision,
                                          int method);

/* Begins a panel of the current kind, using the axis ranges that the study sets for that kind. The
 * panel's title is the group's problem or, if the drawing is `whole`, just the problem's name
 * without options. */
struct shk_panel *shk_drawing_panel(const struct shk_drawing *drawing, struct shk_chart *chart,
                                    int group);
/* Adds a method of the study to the panel. `words` is the text after its name (or ""). */
void shk_drawing_add(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                     const char *words);
/* Labels an axis ("xlabel" or "ylabel") with a quantity, such as "max |g|", and its unit. If the
 * quantity does not belong to a block, `block` is SHK_BLOCKS, and `parameter`, which can be NULL,
 * is used in its place. */
void shk_chart_quantity(struct shk_chart *chart, const char *name, enum shk_quantity_id quantity,
                        enum shk_block_id block, const char *parameter, const char *unit);
/* Labels the horizontal axis with the time or the step size, in the units of the group. */
void shk_chart_time(struct shk_chart *chart, const struct shk_drawn_group *group);
void shk_chart_step(struct shk_chart *chart, const struct shk_drawn_group *group);

/* The precisions, in the order in which their figures are drawn, terminated by NULL. */
extern const char *const shk_drawn_precisions[];

#endif
