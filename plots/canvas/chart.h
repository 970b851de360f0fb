/*
 * A figure while it is being written: a page of panels, with its data and settings.
 *
 * NAME.dat contains a block for each curve: a comment that describes the columns, a line with the
 * curve's name as plain text and for LaTeX, and then rows of numbers separated by tabs. NAME.gp
 * contains the settings of the page, followed by those of each panel, which templates/panel.gp
 * draws with the template of its kind. User text in NAME.gp is in single quotes, inside which
 * gnuplot interprets nothing.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/memory.h"
#include "foundation/message.h"
#include "harness/study/study.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

/* A method's look, in the words used in study files. */
struct shk_look {
  char colour[16];
  const char *mark, *line;
  bool hollow, on_top;
  bool own_line; /* the study sets the line, so the layout does not change it */
  double size;   /* mark size; 1 is about 1 mm, 0 means set at page layout */
};

/* A panel axis. An end that is NaN is determined from the points. fixed: the user has set the
 * ends. */
struct shk_axis {
  bool log, fixed;
  double from, to;
};

struct shk_setting {
  char *name, *value;
  bool list;
};

struct shk_panel {
  const char *kind, *template; /* word in studies; file name without suffix, NULL if blank */
  char *problem;               /* user text in the title */
  char *part[2];               /* part in the title, in enhanced text and in LaTeX, or NULL */
  char *step[2];               /* in the same form: step of its runs, if they share one */
  bool labelled;               /* an axis label contains the part, so a single panel omits it */
  int first;                   /* index of its first data block */
  int method_count;            /* number of its methods, in the order of their blocks */
  struct shk_curve_of {
    int method;  /* index in the chart's methods */
    char *words; /* text beside its name, or "" */
    bool unseen; /* true if it has no curve */
  } * methods;
  struct shk_axis x, y;
  bool equal; /* true: both axes have the same scale */
  int exits;  /* number of marks at the top for runs that stopped; legends avoid them */
  bool strip; /* true: a line of text at the bottom, below all curves */
  int setting_count, point_count, tag_count;
  struct shk_setting *settings;
  struct shk_outline { /* points of lines in drawing order, with a NaN between two lines */
    double x, y;
    int method;   /* as above */
    bool outside; /* true: the axes need not include it */
  } * points;
  struct shk_tag { /* a grey line with a text; tags at the same point form lines of one text */
    double x[2], y[2], label_x, label_y;
    double half_x, half_y; /* half of the text size, in fractions of the panel */
    char *plain, *latex;
    bool labelled; /* true if there is room for the text */
  } * tags;
  /* The following members are set when the page is laid out. */
  bool keyed, words_only; /* has a legend; this has only the texts after names */
  double key_x, key_y;    /* left and top of its legend */
  double entry;           /* width of a legend entry in cm */
  int columns;            /* and its columns */
};

struct shk_chart {
  char *name;   /* file name without suffix: [a-z0-9-] */
  double width; /* cm */
  int per_row;  /* panels in a row */
  enum shk_legend_place legend;
  bool serif;
  /* in cm: panel height, margins, and width that the contents need; 0 means the default */
  double tall, left, top, needed;
  int method_count;
  struct shk_drawn_method {
    int number;   /* in the study */
    char *name;   /* user text */
    char *beside; /* text beside its name in the page legend, or "" */
    struct shk_look look;
  } * methods;
  const char *sample; /* gnuplot style of the samples in a legend below the panels */
  FILE *data;         /* stream to which the data text is written */
  char *data_text;
  size_t data_size;
  int block_count;
  bool has_rows; /* true if the last block has rows */
  int panel_count;
  struct shk_panel *panels;
  char *head;                 /* first sentence of the caption; user text */
  const char *odd;            /* meaning of hollow marks, such as "are not in the fit", or NULL */
  struct shk_text_list notes; /* further sentences */
};

/* Begins a chart. The chart owns its name, which can be set here or at any time before it is
 * finished. */
void shk_chart_begin(struct shk_chart *chart, char *name);
/* Adds a panel that stays blank. */
void shk_chart_blank(struct shk_chart *chart);
/* Begins a panel of a kind, with a problem (copied) as its title. The following calls add to this
 * panel. */
struct shk_panel *shk_chart_panel(struct shk_chart *chart, const char *kind, const char *template,
                                  const char *problem);
/* Adds the part that the panel shows, a fixed text, to its title. */
void shk_chart_part(struct shk_chart *chart, const char *plain, const char *latex);
/* Adds a method to the panel, given its number in the study, its name, its look, and the text after
 * its name (or ""). */
void shk_chart_method(struct shk_chart *chart, int number, const char *name,
                      const struct shk_look *look, const char *words);

/* Records that the panel's i-th method has no curve in it. A method without any curve appears in no
 * legend. */
void shk_chart_unseen(struct shk_chart *chart, int i);

/* Gives a method, by its number in the study, a solid line unless the study sets its line. */
void shk_chart_solid(struct shk_chart *chart, int number);

/* ---- data ---- */

/* Begins a block with its name and a description of its columns. Returns the block's index in
 * gnuplot. */
int shk_chart_block(struct shk_chart *chart, const char *name, const char *columns, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes a row. A non-finite value leaves a gap in a line. */
void shk_chart_row(struct shk_chart *chart, const double *values, int count);
#define SHK_CHART_ROW(chart, ...)                                                                  \
  shk_chart_row(chart, (const double[]){__VA_ARGS__},                                              \
                (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))
/* Writes a row that contains a number and then a user text, both plain and for LaTeX. */
void shk_chart_text(struct shk_chart *chart, double x, const char *text);
/* Records a point of the panel: the next point on a line of the method with this number in the
 * study. These points determine the ranges of axes and the free places for legends. */
void shk_chart_point(struct shk_chart *chart, int number, double x, double y);
/* Does the same for a point that the axes need not include. */
void shk_chart_obstacle(struct shk_chart *chart, int number, double x, double y);

/* ---- settings of the panel ---- */

/* Sets the script variable `name` to a number, which replaces any earlier one. */
void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Appends to a list of numbers such as "0 2 4". */
void shk_chart_list(struct shk_chart *chart, const char *name, double value);
/* Sets a fixed text, in gnuplot's enhanced text and in LaTeX. */
void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex);
/* Adds a strip with user text at the bottom of the panel. */
void shk_chart_strip(struct shk_chart *chart, const char *words);
/* Adds a grey line between two points with a fixed text. */
void shk_chart_tag(struct shk_chart *chart, const double *x, const double *y, const char *plain,
                   const char *latex);

/* ---- the caption ---- */

/* Adds user text to the first sentence of the caption. */
void shk_chart_head(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a sentence to the caption unless the caption already contains it. */
void shk_chart_note(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A folder for figures, and the types of their files. */
struct shk_plot_files {
  const char *directory;
  const char *const *types; /* "pdf", "svg", "png", "tex" or "gif", terminated by NULL */
  const char *templates;    /* folder whose templates replace the built-in ones, or NULL */
};

/* Writes the data, settings, caption and templates into the folder, which must exist, and draws
 * each type. Returns false with the reason on failure. The chart is freed in any case. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error);
/* Frees a chart without drawing it. */
void shk_chart_clear(struct shk_chart *chart);

/* ---- private ---- */

/* The lengths of a page in cm, and its legend. */
struct shk_page {
  int across, down;
  double tall, left, right, between, top, gap, below, foot;
  double beside; /* room for texts at the ends of curves in each panel; 0 if none */
  /* problems, parts: the titles of all panels show them */
  bool shared_x, shared_y, problems, parts;
  bool lettered;                           /* panels are labelled (a), (b), … */
  enum shk_panel_keys {                    /* for several panels with texts after names: */
                        SHK_KEYS_OF_TEXTS, /* panel legends contain only the texts */
                        SHK_KEYS_NAMED,    /* names and texts */
                        SHK_KEYS_SPLIT     /* only texts, and names in a panel without texts */
  } keys;
  enum shk_legend_place legend;
};
/* Returns a method's layer from back to front, 0 to 3. Solid lines are behind the others and show
 * through their gaps. */
int shk_height_of(const struct shk_look *look);
/* Returns true if a method of the chart has a curve in some panel. */
bool shk_chart_is_seen(const struct shk_chart *chart, int method);
/* Lays out a chart: completes the axis ranges and finds places for legends and tags. */
struct shk_page shk_chart_lay_out(struct shk_chart *chart);
/* Appends to a list of numbers in a panel. */
void shk_panel_list(struct shk_panel *panel, const char *name, double value);
/* Returns the value of a panel setting, or NULL if there is none with that name. */
const char *shk_panel_setting(const struct shk_panel *panel, const char *name);
/* Runs gnuplot on NAME.gp in the folder to make a file of this type. Returns false with gnuplot's
 * message on failure. */
bool shk_run_gnuplot(const char *directory, const char *name, const char *type,
                     struct shk_message *error);
/* Creates a folder and its parents, unless they exist. Returns false with the reason on failure. */
bool shk_make_directory(const char *path, struct shk_message *error);
/* Writes the file whose name is `name` followed by `ending`. */
bool shk_write_text(const char *directory, const char *name, const char *ending, const char *text,
                    struct shk_message *error);

#endif
