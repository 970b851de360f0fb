/*
 * A figure while it is built: panels in a grid, and under them a key that is a table with a line
 * for each method. Lengths are in cm at print size.
 *
 * Text of a user (specifications) goes into the data file only, and from there to labels that are
 * drawn as they stand. What the script holds is ours: fixed words and numbers.
 */
#ifndef PLOTS_CANVAS_FIGURE_H
#define PLOTS_CANVAS_FIGURE_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stdio.h>

#define SHK_COLUMN_WIDTH 8.6 /* of a journal with two columns */
#define SHK_PAGE_WIDTH 17.8
#define SHK_KEY_NAMES 1.15 /* where names begin in the key, after the sample */
#define SHK_KEY_VALUE 2.05 /* a column of values */

/* A text of ours, in gnuplot's enhanced text and in LaTeX. */
struct shk_label {
  char plain[160], latex[160];
};

struct shk_axis {
  struct shk_label label; /* empty: the panel below or to the left has it, and the numbers */
  bool logarithmic;
  double low, high; /* low = high: gnuplot chooses */
};

struct shk_panel {
  int row, column;
  bool bare; /* no frame and no numbers: axes are only a grid to place things in */
  struct shk_axis x, y;
  struct shk_label title; /* above it, to the left */
  int layer_count, mark_count;
  char **layers; /* `index 3 using 1:2 with lines linestyle 1`, drawn in this order */
  struct shk_mark {
    double x, y;
    struct shk_label label;
  } * marks; /* texts at a place in the panel */
};

struct shk_key_text {
  int line;
  double x;
  char *plain, *latex; /* as data: no enhanced text */
};

struct shk_figure {
  char *name; /* of the files: [a-z0-9-] */
  double width, panel_height;
  int rows, columns;
  int panel_count;
  struct shk_panel *panels;
  FILE *data; /* the data file's text while it is written */
  char *data_text;
  size_t data_size;
  char *title; /* what it shows, in words */
  int block_count;
  int key_lines, text_count, sample_count, method_count;
  const char *const *method_names; /* NULL: the methods have none */
  struct shk_key_text *texts;
  struct shk_key_sample {
    int line, method;
    char letter; /* of a place in a map: a filled square with it; 0: a line with a mark */
    bool filled;
  } * samples;
};

/* Takes over the name. `method_count` styles are defined: 1, 2, …, of the methods in order. */
void shk_figure_begin(struct shk_figure *figure, char *name, int rows, int columns,
                      int method_count);
/* A line of comment at the head of the data file: `# word: text`. */
void shk_figure_say(struct shk_figure *figure, const char *word, const char *text);
/* Begins a block of data and says what it is; rows are then printed to figure->data, fields
 * separated by tabs. Returns gnuplot's index of it. */
int shk_figure_block(struct shk_figure *figure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A row of numbers. */
void shk_figure_row(struct shk_figure *figure, const double *values, int count);
/* How wide each panel is, in cm. */
double shk_panel_width(const struct shk_figure *figure);
/* The pointer is good until the next panel is added. */
struct shk_panel *shk_figure_panel(struct shk_figure *figure, int row, int column);
/* Where a panel stands when its figure is complete, in cm from the left and upper edges. */
struct shk_place {
  double left, top, width, height;
};
struct shk_place shk_panel_place(const struct shk_figure *figure, const struct shk_panel *panel);
void shk_panel_layer(struct shk_panel *panel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shk_panel_mark(struct shk_panel *panel, double x, double y, struct shk_label label);

/* The key. A line begins below the others; texts of more than `width` cm continue on further lines,
 * broken where names of options, values and their parts begin. The first line's number is
 * returned. */
int shk_key_sample(struct shk_figure *figure, int method, const char *name, double width);
/* Of a map whose places have a colour, the style's, and a letter. */
int shk_key_place(struct shk_figure *figure, int style, char letter, bool filled, const char *name,
                  double width);
int shk_key_text(struct shk_figure *figure, double x, double width, const char *text);
/* A method's line that has no values beside it, and a note over the whole width. */
void shk_key_method(struct shk_figure *figure, int method);
void shk_key_note(struct shk_figure *figure, const char *text);
/* About as wide as the key's text, in Helvetica of 7 points, will be. */
double shk_text_width(const char *text);
/* A value beside a line, our own text. */
void shk_key_value(struct shk_figure *figure, int line, double x, struct shk_label label);

/* Writes the data and the script into the folder, draws each type, and frees the figure even if that
 * fails. */
bool shk_figure_finish(struct shk_figure *figure, const char *directory, const char *const *types,
                       struct shk_message *error);

/* ---- marks and dashes ---- */

/* gnuplot's filled mark of a method; the open one is one less. */
int shk_method_mark(int method);
/* Its colour, "#0072B2". */
const char *shk_method_colour(int method);
/* Writes `set style line …` for that many methods. */
void shk_print_styles(FILE *file, int method_count);

/* ---- texts ---- */

struct shk_label shk_label(const char *plain, const char *latex);
/* Both printed with the same arguments. */
struct shk_label shk_label_print(const char *plain, const char *latex, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));
/* Words that are the same in both. */
struct shk_label shk_label_words(const char *words);
/* The time axis; the unit is " (s)" or empty. */
struct shk_label shk_time_label(const char *unit);
/* A number of so many digits: "1.23 × 10⁻⁷". Empty for NaN. */
struct shk_label shk_label_number(double value, int digits);
/* The same with its half-width: "(1.23 ± 0.45) × 10⁻⁷". */
struct shk_label shk_label_measured(double value, double half_width);
/* A row of data: numbers, with NaN as gnuplot knows it, for which it leaves a gap in lines. */
void shk_print_numbers(FILE *file, const double *values, int count);
/* User text for a field of data: one line, valid UTF-8, nothing that gnuplot would act on. The
 * caller frees it. */
char *shk_data_text(const char *text);
/* Writes such a text as a field of data. */
void shk_print_field(FILE *file, const char *text);
/* The last two fields of a row: a user's text, and the same for LaTeX. */
void shk_print_texts(FILE *file, const char *text);
/* The same for LaTeX; `text` comes from shk_data_text. */
char *shk_latex_text(const char *text);
/* A file name's part: [a-z0-9-], at most 60 characters. The caller frees it. */
char *shk_slug(const char *text);

/* ---- axes ---- */

/* The least and the largest of values that a logarithmic axis can show; of others nothing is taken.
 */
struct shk_extent {
  double low, high;
};
extern const struct shk_extent shk_extent_of_nothing;
void shk_extent_add(struct shk_extent *extent, double value);
/* A logarithmic range with room around these values, at most so many decades down from the top. */
void shk_axis_range(struct shk_axis *axis, double low, double high, double room);

/* Draws one SVG alone: `draw` makes NAME.svg, and the files beside it, in a folder that is removed
 * again. False with the reason. */
bool shk_draw_one_file(const char *svg_file, const char *name,
                       bool (*draw)(void *user, const char *folder, struct shk_message *error),
                       void *user, struct shk_message *error);

/* ---- private to figures ---- */

/* Makes the SVG that gnuplot drew fit for a page that holds several: every id begins with the
 * figure's name; what is drawn of a method is a group of class `method-N`, N from 1, that is called
 * after it; the figure itself has its title. False with the reason. */
bool shk_svg_annotate(const struct shk_figure *figure, const char *directory,
                      struct shk_message *error);

/* Overwrites the date in a PDF that gnuplot drew. False with the reason. */
bool shk_pdf_undate(const char *directory, const char *name, struct shk_message *error);
/* The same PDF with the text, which it has in a compressed stream, uncompressed; NULL if it is not
 * there, or the file not laid out as expected. The caller frees it. */
char *shk_pdf_unpack(const char *bytes, size_t *size, const char *text);

/* The script of a figure whose data are complete. */
void shk_print_script(FILE *file, const struct shk_figure *figure, const char *type, int key_block,
                      int sample_block);
/* Runs gnuplot in the folder; false with what it said. */
bool shk_run_gnuplot(const char *directory, const char *script, const char *type,
                     struct shk_message *error);
/* Makes the folder and those above it. */
bool shk_make_directory(const char *path, struct shk_message *error);
/* Writes a file; false with the reason. */
bool shk_write_text(const char *directory, const char *name, const char *text, size_t size,
                    struct shk_message *error);

#endif
