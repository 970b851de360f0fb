/*
 * A figure while it is being written: a page of panels, its data and settings.
 *
 * NAME.dat has a block for each curve: a comment that describes the columns, a line with the name
 * of the curve as plain text and for LaTeX, then rows of numbers, separated by tabs. NAME.gp has
 * the settings of the page, then those of each panel, which templates/panel.gp draws by the
 * template of its kind. User text there is in single quotes, in which gnuplot interprets nothing.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/memory.h"
#include "foundation/message.h"
#include "harness/study/study.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

/* Look of a method, in words of study files. */
struct shk_look {
  char colour[16];
  const char *mark, *line;
  bool hollow, on_top;
  bool own_line; /* the study sets the line: layout does not change it */
  double size; /* of marks, 1: about 1 mm; 0: set when the page is laid out */
};

/* Axis of a panel; an end that is NaN follows from the points. fixed: the ends are a user's. */
struct shk_axis {
  bool log, fixed;
  double from, to;
};

struct shk_setting {
  char *name, *value;
  bool list;
};

struct shk_panel {
  const char *kind, *template; /* word in studies; file name without the ending, NULL: blank */
  char *problem;               /* user text, in its title */
  char *part[2];               /* also: its part, in enhanced text and in LaTeX; or NULL */
  char *step[2];               /* likewise: the step of its runs, if that is the same */
  bool labelled;               /* an axis names the part, which a single panel need not repeat */
  int first;                   /* index of its first block of data */
  int method_count;            /* its methods, in the order of their blocks */
  struct shk_curve_of {
    int method;  /* index in the methods of the chart */
    char *words; /* text beside its name, or "" */
    bool unseen; /* it has no curve */
  } * methods;
  struct shk_axis x, y;
  bool equal; /* one scale for both axes */
  int exits;  /* marks of runs that stopped, at the top, where no legend may be */
  bool strip; /* a line of text at the bottom, below all curves */
  int setting_count, point_count, tag_count;
  struct shk_setting *settings;
  struct shk_outline { /* points of lines in the order of drawing, a NaN between two lines */
    double x, y;
    int method;   /* as above */
    bool outside; /* the axes need not reach it */
  } * points;
  struct shk_tag { /* a grey line and a text at it; tags at the same point are lines of one text */
    double x[2], y[2], label_x, label_y;
    double half_x, half_y; /* of the size of the text, in fractions of the panel */
    char *plain, *latex;
    bool labelled; /* there is room for the text */
  } * tags;
  /* Found when the page is laid out. */
  bool keyed, words_only; /* it has a legend; that has the texts after the names alone */
  double key_x, key_y;    /* left and upper end of its legend */
  double entry;           /* width of an entry of that in cm */
  int columns;            /* and its columns */
};

struct shk_chart {
  char *name;   /* of the files, without an ending: [a-z0-9-] */
  double width; /* cm */
  int per_row;  /* panels in a row */
  enum shk_legend_place legend;
  bool serif;
  /* cm: height of a panel, margins, width that the contents need; 0: default */
  double tall, left, top, needed;
  int method_count;
  struct shk_drawn_method {
    int number;   /* in the study */
    char *name;   /* user text */
    char *beside; /* text beside its name in the legend of the page, or "" */
    struct shk_look look;
  } * methods;
  const char *sample; /* how gnuplot draws the samples of a legend below the panels */
  FILE *data;         /* text of the data while it is written */
  char *data_text;
  size_t data_size;
  int block_count;
  bool has_rows; /* the last block has rows */
  int panel_count;
  struct shk_panel *panels;
  char *head;                 /* first sentence of the caption; user text */
  const char *odd;            /* what hollow marks are in it, "are not in the fit"; NULL: nothing */
  struct shk_text_list notes; /* further sentences */
};

/* Begins a chart, which owns its name, set here or before it is finished, from then on. */
void shk_chart_begin(struct shk_chart *chart, char *name);
/* Adds a panel that stays blank. */
void shk_chart_blank(struct shk_chart *chart);
/* Begins a panel of a kind, titled by a problem (copied). What follows belongs to it. */
struct shk_panel *shk_chart_panel(struct shk_chart *chart, const char *kind, const char *template,
                                  const char *problem);
/* Adds the part that the panel shows to its title: a fixed text. */
void shk_chart_part(struct shk_chart *chart, const char *plain, const char *latex);
/* Adds a method to the panel: its number in the study, its name, its look, and a text after its
 * name or "". */
void shk_chart_method(struct shk_chart *chart, int number, const char *name,
                      const struct shk_look *look, const char *words);

/* Tells that the panel's i-th method has no curve in it. One without any is in no legend. */
void shk_chart_unseen(struct shk_chart *chart, int i);

/* Gives a method, by its number in the study, a solid line unless the study sets its line. */
void shk_chart_solid(struct shk_chart *chart, int number);

/* ---- data ---- */

/* Begins a block: its name, and a description of its columns. Returns its index in gnuplot. */
int shk_chart_block(struct shk_chart *chart, const char *name, const char *columns, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes a row. A value that is not finite leaves a gap in a line. */
void shk_chart_row(struct shk_chart *chart, const double *values, int count);
#define SHK_CHART_ROW(chart, ...)                                                                  \
  shk_chart_row(chart, (const double[]){__VA_ARGS__},                                              \
                (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))
/* Writes a row: a number, then a user text, plain and for LaTeX. */
void shk_chart_text(struct shk_chart *chart, double x, const char *text);
/* Tells that the panel has a point there: the next one of a line of the method with this number in
 * the study. Ranges of axes and free places for legends follow from these points. */
void shk_chart_point(struct shk_chart *chart, int number, double x, double y);
/* The same for a point that the axes need not reach. */
void shk_chart_obstacle(struct shk_chart *chart, int number, double x, double y);

/* ---- settings of the panel ---- */

/* Sets the variable `name` of the script to a number, which replaces an earlier one. */
void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Appends to a list of numbers, "0 2 4". */
void shk_chart_list(struct shk_chart *chart, const char *name, double value);
/* Sets a fixed text, in gnuplot's enhanced text and in LaTeX. */
void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex);
/* Adds a strip at the bottom of the panel with a user text. */
void shk_chart_strip(struct shk_chart *chart, const char *words);
/* Adds a grey line between two points with a fixed text. */
void shk_chart_tag(struct shk_chart *chart, const double *x, const double *y, const char *plain,
                   const char *latex);

/* ---- the caption ---- */

/* Adds a user text to the first sentence of the caption. */
void shk_chart_head(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a sentence to the caption, once. */
void shk_chart_note(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A folder for figures, and the types of their files. */
struct shk_plot_files {
  const char *directory;
  const char *const *types; /* "pdf", "svg", "png", "tex" or "gif", ended by NULL */
  const char *templates;    /* folder whose templates replace the built-in ones; NULL: none */
};

/* Writes data, settings, caption and templates into the folder, which must exist, and draws each
 * type. False with the reason. Frees the chart in any case. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error);
/* Frees a chart without drawing it. */
void shk_chart_clear(struct shk_chart *chart);

/* ---- private ---- */

/* Lengths of a page in cm, and its legend. */
struct shk_page {
  int across, down;
  double tall, left, right, between, top, gap, below, foot;
  double beside; /* room for texts at the ends of curves in each panel; 0: there are none */
  bool shared_x, shared_y, problems, parts; /* problems, parts: titles have them in all panels */
  bool lettered;                            /* panels are (a), (b), … */
  enum shk_panel_keys { /* of figures of several panels with texts after names: */
                        SHK_KEYS_OF_TEXTS, /* these alone in the legends of panels */
                        SHK_KEYS_NAMED,    /* names and texts */
                        SHK_KEYS_SPLIT /* these alone, and the names in a panel without such texts */
  } keys;
  enum shk_legend_place legend;
};
/* Returns the place of a method from back to front, 0 to 3: solid lines are behind the others,
 * through whose gaps they are seen. */
int shk_height_of(const struct shk_look *look);
/* True if a method of the chart has a curve in some panel. */
bool shk_chart_is_seen(const struct shk_chart *chart, int method);
/* Lays out a chart: completes the ranges of axes and finds places for legends and tags. */
struct shk_page shk_chart_lay_out(struct shk_chart *chart);
/* Appends to a list of numbers of a panel. */
void shk_panel_list(struct shk_panel *panel, const char *name, double value);
/* Returns the value of a setting of a panel; NULL if it has none of that name. */
const char *shk_panel_setting(const struct shk_panel *panel, const char *name);
/* Runs gnuplot on NAME.gp in the folder, for a file of this type. False with gnuplot's message. */
bool shk_run_gnuplot(const char *directory, const char *name, const char *type,
                     struct shk_message *error);
/* Creates a folder and those above it, unless they exist. False with the reason. */
bool shk_make_directory(const char *path, struct shk_message *error);
/* Writes the file `name` + `ending`. */
bool shk_write_text(const char *directory, const char *name, const char *ending, const char *text,
                    struct shk_message *error);

#endif
