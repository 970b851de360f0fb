/*
 * A figure while it is written: tidy data and settings, which a template draws.
 *
 * NAME.dat has a block for each curve: a comment that says what its columns are, a line with its
 * names, then rows of numbers, separated by tabs. Names come in pairs, as they stand and for LaTeX.
 * Texts of users are there and nowhere else: gnuplot reads them as data. NAME.gp has settings,
 * numbers and fixed words, and loads templates/KIND.gp.
 */
#ifndef PLOTS_CANVAS_CHART_H
#define PLOTS_CANVAS_CHART_H

#include "foundation/message.h"
#include "harness/study/study.h"
#include "plots/canvas/text.h"
#include <stdbool.h>
#include <stdio.h>

#define SHK_COLUMN_WIDTH 8.6 /* cm, of a journal with two columns */
#define SHK_MIDDLE_WIDTH 12.5
#define SHK_PAGE_WIDTH 17.8

struct shk_chart {
  char *name;           /* of the files: [a-z0-9-] */
  const char *template; /* its file without the ending */
  char *title;          /* what it shows, in words; of a user */
  double width;         /* cm */
  enum shk_key_place legend;
  int method_count;      /* that are drawn; they have the line styles 1, 2, … in this order */
  int *methods;          /* by their numbers in the study */
  int *styles;           /* (styles.h) */
  FILE *data, *settings; /* their texts while they are written */
  char *data_text, *settings_text;
  size_t data_size, settings_size;
  int block_count, used; /* blocks; columns of the last line of settings */
  bool has_rows;         /* the last block */
  char *head;            /* the line above the legend; of a user */
  int note_count;
  struct shk_label *notes; /* below it; ours, of a line each */
  int row_count;
  struct shk_legend_row {
    int style; /* from 1, of the methods that are drawn */
    char *name;
    struct shk_label label; /* behind the name; ours */
  } * rows;
};

/* Takes over the name. */
void shk_chart_begin(struct shk_chart *chart, char *name, const char *template);
/* Adds a method to those that are drawn, by its number and its style. */
void shk_chart_method(struct shk_chart *chart, int number, int style);

/* ---- data ---- */

/* A line of comment at the head: `# word: text`. */
void shk_chart_say(struct shk_chart *chart, const char *word, const char *text);
/* Begins a block: its name, a text of ours behind it or NULL, and what its columns are. Returns
 * gnuplot's index of it. */
int shk_chart_block(struct shk_chart *chart, const char *name, const struct shk_label *label,
                    const char *columns, ...) __attribute__((format(printf, 4, 5)));
void shk_chart_row(struct shk_chart *chart, const double *values, int count);
#define SHK_CHART_ROW(chart, ...)                                                                  \
  shk_chart_row(chart, (const double[]){__VA_ARGS__},                                              \
                (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))
/* A block without data, where there is a place for one. */
void shk_chart_gap(struct shk_chart *chart);
/* A row of a text of a user, plain and for LaTeX, behind these numbers. */
void shk_chart_text(struct shk_chart *chart, double x, double y, const char *text);

/* ---- settings ---- */

void shk_chart_set(struct shk_chart *chart, const char *name, double value);
/* Adds to a list of numbers, which begins as NULL. */
void shk_list_add(char **list, double value);
/* A list, "0 2 4", of which only numbers and blanks are taken; NULL: an empty one. It is freed. */
void shk_chart_set_list(struct shk_chart *chart, const char *name, char *list);
/* The same under `name_number`. */
void shk_chart_set_nth(struct shk_chart *chart, const char *name, int number, char *list);
/* `range_number`, from one value to another. */
void shk_chart_range(struct shk_chart *chart, int number, double low, double high);
/* A text of ours. */
void shk_chart_set_label(struct shk_chart *chart, const char *name, struct shk_label label);
/* The same under `name_number`. */
void shk_chart_set_nth_label(struct shk_chart *chart, const char *name, int number,
                             struct shk_label label);

/* ---- the legend ---- */

/* What is drawn, in one line; and more of it. */
void shk_chart_head(struct shk_chart *chart, const char *before, const char *text);
/* A line for a method, by its style from 1, with a text of ours behind its name or NULL. */
void shk_chart_legend(struct shk_chart *chart, int style, const char *name,
                      const struct shk_label *label);
/* A line below it, of at most 64 characters. */
void shk_chart_note(struct shk_chart *chart, struct shk_label note);

/* Where figures are drawn, and from what. */
struct shk_drawn_place {
  const char *folder;       /* exists */
  const char *const *types; /* "pdf", "svg", "png", "tex", ended by NULL */
  const char *others;       /* a folder whose templates are taken before our own; NULL: none */
};

/* Writes data, settings and templates into the folder, draws each type, and frees the chart even if
 * that fails. */
bool shk_chart_finish(struct shk_chart *chart, const struct shk_drawn_place *place,
                      struct shk_message *error);

/* Frees a chart that is not to be drawn. */
void shk_chart_clear(struct shk_chart *chart);

/* Draws one file of the type alone, in a folder that is removed again; frees the chart. */
bool shk_chart_finish_file(struct shk_chart *chart, const char *file, const char *type,
                           struct shk_message *error);

/* ---- private ---- */

/* Rows of the legend as blocks of data, and the settings that say how many. */
void shk_legend_write(struct shk_chart *chart);
/* What the legend says, in words, as NAME-caption.txt and NAME-caption.tex. */
bool shk_caption_write(const struct shk_chart *chart, const char *directory,
                       struct shk_message *error);
/* Gives the SVG its title, and a style with which it follows a dark page. */
bool shk_svg_finish(const struct shk_chart *chart, const char *directory,
                    struct shk_message *error);
/* Runs gnuplot in the folder; false with what it said. */
bool shk_run_gnuplot(const char *directory, const char *script, const char *type,
                     struct shk_message *error);
bool shk_make_directory(const char *path, struct shk_message *error);
bool shk_write_text(const char *directory, const char *name, const char *text, size_t size,
                    struct shk_message *error);

#endif
