/*
 * A figure while it is being written: data and settings, which a template draws.
 *
 * NAME.dat has a block for each curve: a comment that describes the columns, a line with the names
 * of the curve, then rows of numbers, separated by tabs. Names come in pairs, as plain text and for
 * LaTeX. User text is written to this file only: gnuplot reads it as data. NAME.gp has settings,
 * namely numbers and fixed words, and loads templates/KIND.gp.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/message.h"
#include "harness/study/study.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

#define SHK_COLUMN_WIDTH 8.6 /* cm, one column of a two-column journal */
#define SHK_MIDDLE_WIDTH 12.5
#define SHK_PAGE_WIDTH 17.8

struct shk_chart {
  char *name;           /* of the files, without an ending: [a-z0-9-] */
  const char *template; /* its file name without the ending */
  char *title;          /* description in words; user text */
  double width;         /* cm */
  enum shk_key_place legend;
  int method_count;      /* methods drawn; they have the line styles 1, 2, … in this order */
  int *methods;          /* their numbers in the study */
  int *styles;           /* their styles (styles.h) */
  FILE *data, *settings; /* texts of both files while they are written */
  char *data_text, *settings_text;
  size_t data_size, settings_size;
  int block_count, used; /* blocks written; width of the last line of settings */
  bool has_rows;         /* the last block has rows */
  char *head;            /* line above the legend; user text */
  int note_count;
  struct shk_label *notes; /* lines below the legend; fixed text */
  int row_count;
  struct shk_legend_row {
    int style; /* line style of the method, from 1 */
    char *name;
    struct shk_label label; /* text after the name; fixed */
  } * rows;
};

/* Begins a chart, and takes over the name. */
void shk_chart_begin(struct shk_chart *chart, char *name, const char *template);
/* Adds a method to be drawn, with its number and its style. */
void shk_chart_method(struct shk_chart *chart, int number, int style);

/* ---- data ---- */

/* Writes a comment line at the head of the data: `# word: text`. */
void shk_chart_say(struct shk_chart *chart, const char *word, const char *text);
/* Begins a block: its name, a fixed text after it or NULL, and a description of its columns.
 * Returns the block's index in gnuplot. */
int shk_chart_block(struct shk_chart *chart, const char *name, const struct shk_label *label,
                    const char *columns, ...) __attribute__((format(printf, 4, 5)));
void shk_chart_row(struct shk_chart *chart, const double *values, int count);
#define SHK_CHART_ROW(chart, ...)                                                                  \
  shk_chart_row(chart, (const double[]){__VA_ARGS__},                                              \
                (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))
/* Writes a block without data, in place of one that is missing. */
void shk_chart_gap(struct shk_chart *chart);
/* Writes a row: numbers, then a user text, plain and for LaTeX. */
void shk_chart_text(struct shk_chart *chart, double x, double y, const char *text);

/* ---- settings ---- */

void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Appends to a list of numbers; an empty list is NULL. */
void shk_list_add(char **list, double value);
/* Writes a list, "0 2 4"; only its numbers and blanks are written. NULL: an empty list. Frees
 * it. */
void shk_chart_set_list(struct shk_chart *chart, const char *name, char *list);
/* The same, named `name_number`. */
void shk_chart_set_nth(struct shk_chart *chart, const char *name, int number, char *list);
/* Writes a range, named `range_number`. */
void shk_chart_range(struct shk_chart *chart, int number, double low, double high);
/* Writes a fixed text. */
void shk_chart_set_label(struct shk_chart *chart, const char *name, struct shk_label label);
/* The same, named `name_number`. */
void shk_chart_set_nth_label(struct shk_chart *chart, const char *name, int number,
                             struct shk_label label);

/* ---- the legend ---- */

/* Sets the line above the legend to `before` and a user text. */
void shk_chart_head(struct shk_chart *chart, const char *before, const char *text);
/* Adds a line for a method: its line style from 1, its name, and a fixed text after it or NULL. */
void shk_chart_legend(struct shk_chart *chart, int style, const char *name,
                      const struct shk_label *label);
/* Adds a line below the legend, of at most 64 characters. */
void shk_chart_note(struct shk_chart *chart, struct shk_label note);

/* The folder of the figures, and the files from which they are drawn. */
struct shk_drawn_place {
  const char *folder;       /* must exist */
  const char *const *types; /* "pdf", "svg", "png", "tex", ended by NULL */
  const char *others;       /* folder whose templates replace the built-in ones; NULL: none */
};

/* Writes data, settings and templates into the folder and draws each type. Frees the chart even if
 * that fails. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_drawn_place *place,
                      struct shk_message *error);

/* Frees a chart without drawing it. */
void shk_chart_clear(struct shk_chart *chart);

/* Draws one file of one type, in a temporary folder that is removed again. Frees the chart. */
bool shk_chart_finish_file(struct shk_chart *chart, const char *file, const char *type,
                           struct shk_message *error);

/* ---- private ---- */

/* Writes the rows of the legend as blocks of data, and the settings with their number. */
void shk_legend_write(struct shk_chart *chart);
/* Writes the legend in words, as NAME-caption.txt and NAME-caption.tex. */
bool shk_caption_write(const struct shk_chart *chart, const char *directory,
                       struct shk_message *error);
/* Sets the title of the SVG, and a style that follows a dark page. */
bool shk_svg_finish(const struct shk_chart *chart, const char *directory,
                    struct shk_message *error);
/* Runs gnuplot in the folder; returns false with its error message. */
bool shk_run_gnuplot(const char *directory, const char *script, const char *type,
                     struct shk_message *error);
bool shk_make_directory(const char *path, struct shk_message *error);
bool shk_write_text(const char *directory, const char *name, const char *text, size_t size,
                    struct shk_message *error);

#endif
