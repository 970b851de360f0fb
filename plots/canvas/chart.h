/*
 * A figure while it is being written: data and settings, which a template draws.
 *
 * NAME.dat has a block for each curve: a comment that describes the columns, a line with the name
 * of the curve as plain text and for LaTeX, then rows of numbers, separated by tabs. User text is
 * written to this file only: gnuplot reads it as data. NAME.gp has settings, namely numbers and
 * fixed words, and loads templates/KIND.gp.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/message.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

struct shk_chart {
  char *name;           /* of the files, without an ending: [a-z0-9-] */
  const char *template; /* file name without the ending */
  double width;         /* cm */
  bool captioned;       /* true: the legend is in words, in NAME-caption.tex */
  int method_count;     /* methods drawn; they have the line styles 1, 2, … in this order */
  int *methods;         /* their numbers in the study */
  int *styles;          /* their styles (styles.h) */
  FILE *data;           /* text of the data while it is written */
  char *data_text;
  size_t data_size;
  int block_count;
  bool has_rows; /* the last block has rows */
  int setting_count;
  struct shk_setting {
    char *name, *value;
    bool list;
  } * settings;
  char *head; /* line above the legend; user text */
  char *note; /* text below the legend; fixed text */
  int row_count;
  struct shk_legend_row {
    int style; /* line style of the method, from 1; it has the sample */
    char *name, *label;
  } * rows;
};

/* Begins a chart, which owns the name from then on. */
void shk_chart_begin(struct shk_chart *chart, char *name, const char *template);
/* Adds a method to be drawn: its number in the study, and its style (styles.h). */
void shk_chart_method(struct shk_chart *chart, int number, int style);

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

/* ---- settings ---- */

/* Sets the variable `name` of the script to a number, which replaces an earlier one. */
void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Appends to a list of numbers, "0 2 4", which is named `name` or, for a number from 1 on,
 * `name_number`. */
void shk_chart_list(struct shk_chart *chart, const char *name, int number, double value);
/* Sets a fixed text, in gnuplot's enhanced text and in LaTeX. */
void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex);

/* ---- the legend ---- */

/* Adds a user text to the line above the legend. */
void shk_chart_head(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a line for a method: its line style from 1, its name, and a fixed text after it or "". */
void shk_chart_legend(struct shk_chart *chart, int style, const char *name, const char *label);
/* Adds a remark to the text below the legend. */
void shk_chart_note(struct shk_chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A folder for figures, and the types of their files. */
struct shk_plot_files {
  const char *directory;
  const char *const *types; /* "pdf", "svg", "png", "tex" or "gif", ended by NULL */
  const char *templates;    /* folder whose templates replace the built-in ones; NULL: none */
};

/* Writes data, settings and templates into the folder, which must exist, and draws each type. False
 * with the reason. Frees the chart in any case. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error);
/* Frees a chart without drawing it. */
void shk_chart_clear(struct shk_chart *chart);

/* ---- private ---- */

/* Runs gnuplot on NAME.gp in the folder, for a file of this type. False with gnuplot's message. */
bool shk_run_gnuplot(const char *directory, const char *name, const char *type,
                     struct shk_message *error);
/* Creates a folder and those above it, unless they exist. False with the reason. */
bool shk_make_directory(const char *path, struct shk_message *error);
/* Writes the file `name` + `ending`. */
bool shk_write_text(const char *directory, const char *name, const char *ending, const char *text,
                    struct shk_message *error);

#endif
