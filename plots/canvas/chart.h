/*
 * A figure under construction: a page of panels, with its data and settings.
 *
 * NAME.dat contains a block for each curve: a comment that describes the columns, a line with the
 * curve's name as plain text and for LaTeX, and then rows of numbers separated by tabs. NAME.gp
 * contains the settings for the page, followed by those for each panel. templates/panel.gp draws a
 * panel with the template for its kind. User text in NAME.gp is enclosed in single quotes, so that
 * gnuplot does not interpret it.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/memory.h"
#include "foundation/message.h"
#include "harness/study/study.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

/* The appearance of a method, described with the words used in study files. */
struct shk_look {
  char colour[16];
  const char *mark, *line;
  bool hollow, on_top;
  bool own_line; /* true if the study specifies the line style, which the layout must not change */
  double size;   /* mark size, where 1 is about 1 mm; 0 if the page layout determines it */
};

/* A panel axis. Ends that are NaN are determined from the points. `fixed` is true if the user has
 * set the ends. */
struct shk_axis {
  bool log, fixed;
  double from, to;
};

struct shk_setting {
  char *name, *value;
  bool list;
};

struct shk_panel {
  /* the kind's name in studies, and the template's file name without suffix, or NULL for a blank
   * panel */
  const char *kind, *template;
  char *problem; /* user-supplied text in the title */
  char *part[2]; /* part named in the title, as enhanced text and as LaTeX, or NULL */
  /* step size shared by all runs of the panel, as enhanced text and as LaTeX, or NULL */
  char *step[2];
  /* true if an axis label names the part; a figure with one panel then omits it from the title */
  bool labelled;
  int first;        /* index of the panel's first data block */
  int method_count; /* number of methods; their data blocks are in the same order */
  struct shk_curve_of {
    int method;  /* index of the method in the chart */
    char *words; /* text shown next to the method's name, or "" */
    bool unseen; /* true if the method has no curve in this panel */
  } * methods;
  struct shk_axis x, y;
  bool equal; /* true if both axes have the same scale */
  int exits;  /* number of marks along the top for runs that stopped early; legends avoid them */
  bool strip; /* true if there is a line of text at the bottom, below all curves */
  int setting_count, point_count, tag_count;
  struct shk_setting *settings;
  struct shk_outline { /* points of the lines, in drawing order; NaN separates lines */
    double x, y;
    int method;   /* index of the method in the chart */
    bool outside; /* true if the axes do not have to include the point */
  } * points;
  /* A grey line with a label. Tags at the same point share a multi-line label. An infinite
   * coordinate is an end of the axis. */
  struct shk_tag {
    double x[2], y[2], label_x, label_y;
    double half_x, half_y; /* half the size of the label, as fractions of the panel size */
    char *plain, *latex;
    bool labelled; /* true if there is room for the label */
  } * tags;
  /* The remaining members are set by the page layout. */
  /* whether the panel has a legend, and whether the legend shows only the texts after names */
  bool keyed, words_only;
  double key_x, key_y; /* left and top edges of the legend */
  double entry;        /* width of a legend entry in cm */
  int columns;         /* number of columns in the legend */
};

struct shk_chart {
  char *name;   /* file name without suffix: [a-z0-9-] */
  double width; /* cm */
  int per_row;  /* number of panels in a row */
  enum shk_legend_place legend;
  bool serif;
  /* the panel height, the margins, and the width that the contents require, in cm; 0 selects the
   * default */
  double tall, left, top, needed;
  int method_count;
  struct shk_drawn_method {
    int number;   /* index in the study */
    char *name;   /* user text */
    char *beside; /* text next to the method's name in the page legend, or "" */
    struct shk_look look;
  } * methods;
  const char *sample; /* gnuplot plotting style of the samples in a legend below the panels */
  FILE *data;         /* stream that writes to data_text */
  char *data_text;
  size_t data_size;
  int block_count;
  bool has_rows; /* true if the last data block has any rows */
  int panel_count;
  struct shk_panel *panels;
  char *head; /* first sentence of the caption, as user text */
  /* the meaning of hollow marks, such as "not in the fit", or NULL */
  const char *odd;
  struct shk_text_list options; /* for methods and problems, such as "Baumgarte (alpha = 10)" */
  struct shk_text_list notes;   /* further sentences */
};

/* Begins a chart. The chart owns its name, which can be set here or at any time before
 * shk_chart_finish. */
void shk_chart_begin(struct shk_chart *chart, char *name);
/* Adds a blank panel. */
void shk_chart_blank(struct shk_chart *chart);
/* Begins a panel of the given kind, with a copy of `problem` as its title. Subsequent calls add to
 * this panel. */
struct shk_panel *shk_chart_panel(struct shk_chart *chart, const char *kind, const char *template,
                                  const char *problem);
/* Appends the part shown in the panel to its title. The part is given as gnuplot enhanced text and
 * as LaTeX. */
void shk_chart_part(struct shk_chart *chart, const char *plain, const char *latex);
/* Adds the step size that all runs of the panel use, with its unit (or ""), to its title. */
void shk_chart_in_step(struct shk_chart *chart, double step, const char *unit);
/* Adds a method to the panel. `number` is its index in the study, and `words` is the text after its
 * name (or ""). */
void shk_chart_method(struct shk_chart *chart, int number, const char *name,
                      const struct shk_look *look, const char *words);

/* Records that the i-th method of the panel has no curve there. Methods without a curve in any
 * panel are omitted from all legends. */
void shk_chart_unseen(struct shk_chart *chart, int i);

/* Makes a method's line solid unless the study specifies its line style. `number` is the method's
 * index in the study. */
void shk_chart_solid(struct shk_chart *chart, int number);

/* ---- data ---- */

/* Begins a data block with the given name and a description of its columns. Returns the index by
 * which gnuplot refers to the block. */
int shk_chart_block(struct shk_chart *chart, const char *name, const char *columns, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes a row of data. A non-finite value leaves a gap in the curve. */
void shk_chart_row(struct shk_chart *chart, const double *values, int count);
#define SHK_CHART_ROW(chart, ...)                                                                  \
  shk_chart_row(chart, (const double[]){__VA_ARGS__},                                              \
                (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))
/* Writes a row that contains a number and a user-supplied string, in plain and LaTeX form. */
void shk_chart_text(struct shk_chart *chart, double x, const char *text);
/* Records the next point on a method's line in the current panel. `number` is the method's index in
 * the study. The recorded points determine the axis ranges and where legends can be placed. */
void shk_chart_point(struct shk_chart *chart, int number, double x, double y);
/* Like shk_chart_point, but for a point that the axes do not have to include. */
void shk_chart_obstacle(struct shk_chart *chart, int number, double x, double y);

/* ---- settings of the panel ---- */

/* Sets the script variable `name` to a number, replacing any earlier value. */
void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Appends a number to the script variable `name`, which is a list such as "0 2 4". */
void shk_chart_list(struct shk_chart *chart, const char *name, double value);
/* Sets the script variable `name` to a string, given as gnuplot enhanced text and as LaTeX. */
void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex);
/* Adds a strip of user text along the bottom of the panel. */
void shk_chart_strip(struct shk_chart *chart, const char *words);
/* Adds a grey line between two points, with a label given as gnuplot enhanced text and as LaTeX. */
void shk_chart_tag(struct shk_chart *chart, const double *x, const double *y, const char *plain,
                   const char *latex);

/* Adds a grey line across a panel at a constant x or y; the other coordinate is NaN. The label is
 * user text. */
void shk_panel_line(struct shk_panel *panel, double x, double y, const char *label);

/* ---- the caption ---- */

/* Adds user text to the first sentence of the caption. */
void shk_chart_head(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a sentence to the caption unless the caption already contains it. */
void shk_chart_note(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the options of a method or problem, such as "alpha = 10, beta = 10", to the caption. */
void shk_chart_options(struct shk_chart *chart, const char *shown, const char *options);

/* The folder for the figures, and the file types to write. */
struct shk_plot_files {
  const char *directory;
  const char *const *types; /* "pdf", "svg", "png", "tex" or "gif", terminated by NULL */
  const char *templates;    /* folder with templates that replace the built-in ones, or NULL */
};

/* Writes the data, settings, caption and templates into the folder, which must exist, and draws the
 * figure in each of the types. On failure, returns false and sets the message. The chart is always
 * freed. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error);
/* Frees a chart without drawing it. */
void shk_chart_clear(struct shk_chart *chart);

/* ---- private ---- */

/* The lengths of a page, in cm, and the position of its legend. */
struct shk_page {
  int across, down;
  double tall, left, right, between, top, gap, below, foot;
  /* width reserved in each panel for texts at the ends of curves; 0 if there are none */
  double beside;
  /* `problems` (`parts`) is true if every panel title includes the problem (the part). */
  bool shared_x, shared_y, problems, parts;
  bool lettered; /* panels are labelled (a), (b), … */
  /* contents of the panel legends in figures that have several panels and texts after names */
  enum shk_panel_keys {
    SHK_KEYS_OF_TEXTS, /* panel legends contain only the texts after the names */
    SHK_KEYS_NAMED,    /* names and texts */
    /* only the texts, except that one panel without texts shows the names */
    SHK_KEYS_SPLIT
  } keys;
  enum shk_legend_place legend;
};
/* Returns the layer in which a method is drawn, from 0 (back) to 3 (front). Solid lines are drawn
 * behind dashed ones, so that they remain visible through the gaps. */
int shk_height_of(const struct shk_look *look);
/* Returns true if the method has a curve in at least one panel. */
bool shk_chart_is_seen(const struct shk_chart *chart, int method);
/* Lays out a chart: determines the axis ranges and the positions of legends and tags. */
struct shk_page shk_chart_lay_out(struct shk_chart *chart);
/* Returns the coordinate of a tag, which is an end of the axis if the coordinate is infinite. */
double shk_tag_end(const struct shk_axis *axis, double value);
/* Appends a number to a list among the panel's settings. */
void shk_panel_list(struct shk_panel *panel, const char *name, double value);
/* Returns the value of a panel setting, or NULL if no setting has that name. */
const char *shk_panel_setting(const struct shk_panel *panel, const char *name);
/* Runs gnuplot on NAME.gp in the given folder to produce a file of the given type. On failure,
 * returns false and stores gnuplot's message. */
bool shk_run_gnuplot(const char *directory, const char *name, const char *type,
                     struct shk_message *error);
/* Creates a folder and any missing parents. On failure, returns false and sets the message. */
bool shk_make_directory(const char *path, struct shk_message *error);
/* Writes a text file to the given directory. Its name is `name` followed by `ending`. */
bool shk_write_text(const char *directory, const char *name, const char *ending, const char *text,
                    struct shk_message *error);

#endif
