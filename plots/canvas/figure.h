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
#include "harness/study/study.h"
#include <stdbool.h>
#include <stdio.h>

#define SHK_COLUMN_WIDTH 8.6 /* of a journal with two columns */
#define SHK_MIDDLE_WIDTH 12.5
#define SHK_PAGE_WIDTH 17.8
#define SHK_MOST_HEIGHT 16.0 /* two thirds of a page */

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

/* A row of the key as a kind adds it: a note over the whole width, a method's or an outcome's name
 * after its sample, or what stands under the row before it. */
enum { SHK_KEY_COLUMNS = 6 };
struct shk_key_row {
  enum shk_key_row_kind { SHK_KEY_NOTE, SHK_KEY_NAME, SHK_KEY_UNDER } kind;
  int method;
  char letter; /* of a place in a map: a filled square with it; 0: a line with a mark */
  bool filled;
  char *text;             /* of a user */
  struct shk_label under; /* ours */
  struct shk_label values[SHK_KEY_COLUMNS];
};

/* What is placed of it, in cm from the left and upper edges of the figure. */
struct shk_key_text {
  double x, y;
  char *plain, *latex; /* as data: no enhanced text */
};
struct shk_key_sample {
  double x, y;
  const struct shk_key_row *row;
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
  bool sized; /* its panels have the scale of what they show: width and height are to stay */
  int method_count;
  const char *const *method_names; /* NULL: the methods have none */
  const char *const *key_names;    /* what the key calls them; NULL: the same */
  const int *styles;               /* of the methods; NULL: 0, 1, … */
  enum shk_key_place key_place;
  struct shk_label heads[SHK_KEY_COLUMNS]; /* of the key's columns of values */
  int row_count, text_count, sample_count;
  struct shk_key_row *key;
  double key_height; /* below the panels */
  struct shk_key_text *texts;
  struct shk_key_sample *samples;
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

/* " (blue, solid, discs)": a method's line in words; the caller frees it. */
char *shk_style_words(const struct shk_figure *figure, int method);
/* What the key says, in words, as NAME-caption.txt and NAME-caption.tex. */
bool shk_caption_write(const struct shk_figure *figure, const char *directory,
                       struct shk_message *error);

/* The key. What is added after a name belongs to it until the next. Nothing has a place before the
 * figure is finished: columns are as wide as what is in them, names take the rest and continue on
 * further lines, broken where options, values and their parts begin. */
void shk_key_name(struct shk_figure *figure, int method, const char *name);
/* Of a map whose places have a colour, the style's, and a letter. */
void shk_key_place(struct shk_figure *figure, int style, char letter, bool filled,
                   const char *name);
/* A method under its own name. */
void shk_key_method(struct shk_figure *figure, int method);
/* Over the whole width: above the names if it comes before them, else below. */
void shk_key_note(struct shk_figure *figure, const char *text);
/* Goes on with the first note, the title. */
void shk_key_note_more(struct shk_figure *figure, const char *before, const char *text);
/* A line of ours under the last name; its values may follow. */
void shk_key_under(struct shk_figure *figure, struct shk_label label);
/* A value of ours in a column of the last line, and what stands above a column. */
void shk_key_value(struct shk_figure *figure, int column, struct shk_label label);
void shk_key_head(struct shk_figure *figure, int column, struct shk_label label);

/* How wide a text is in Helvetica of 7 points, or in what stands in for it, whichever is wider. */
double shk_text_width(const char *text);
/* The same of enhanced text in 8 points: braces, fonts and powers are not counted as text. */
double shk_label_width(const struct shk_label *label);
/* The text without its middle if it is wider, with three points there; the caller frees it. */
char *shk_text_cut(const char *text, double width);
/* How many bytes of it fit, broken after one of `,(=-` or a blank unless that would leave two thirds
 * of the line empty; one character at least. */
size_t shk_text_part(const char *text, double width);

/* Writes the data and the script into the folder, draws each type, and frees the figure even if that
 * fails. */
bool shk_figure_finish(struct shk_figure *figure, const char *directory, const char *const *types,
                       struct shk_message *error);

/* ---- marks and dashes ---- */

enum { SHK_COLOURS = 7, SHK_STYLES = 210 };

/* gnuplot's filled mark of a method; the open one is one less. */
int shk_method_mark(const struct shk_figure *figure, int method);
/* Where curves coincide the later one must not hide the marks of the earlier: their sizes differ. */
double shk_method_size(const struct shk_figure *figure, int method);
/* Its colour, "#0072B2"; and that of a style. */
const char *shk_method_colour(const struct shk_figure *figure, int method);
const char *shk_style_colour(int style);
/* Chooses a style for each name: mostly the same in all studies, and of different colours in one as
 * long as there are colours. */
void shk_choose_styles(int *styles, const char *const *names, int count);
/* Writes `set style line …` for each method. */
void shk_print_styles(FILE *file, const struct shk_figure *figure);

/* ---- texts ---- */

struct shk_label shk_label(const char *plain, const char *latex);
/* Both printed with the same arguments. */
struct shk_label shk_label_print(const char *plain, const char *latex, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));
/* Words that are the same in both. */
struct shk_label shk_label_words(const char *words);
/* The time axis; the unit is " (s)" or empty. */
struct shk_label shk_time_label(const char *unit);
/* A number of so many digits: "1.23 × 10⁻⁷", from 0.1 to 1000 without the power. Empty for NaN. */
struct shk_label shk_label_number(double value, int digits);
/* At most so many digits, without zeros at the end: "0.0025", "5 × 10⁻⁴". */
struct shk_label shk_label_rounded(double value, int digits);
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
/* A linear one. */
void shk_axis_linear(struct shk_axis *axis, double low, double high);

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

/* Gives all of the key its place, and the figure the width, the height of its panels and of the key
 * with which it is at most SHK_MOST_HEIGHT high. */
void shk_key_lay_out(struct shk_figure *figure);
/* How high the figure is without the key, and how high the whole. */
double shk_panels_height(const struct shk_figure *figure);
double shk_figure_height(const struct shk_figure *figure);

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
