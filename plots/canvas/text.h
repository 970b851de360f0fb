/* Texts of figures: fixed texts in two forms, plain and for LaTeX; user texts escaped. */
#ifndef PLOTS_CANVAS_TEXT_H
#define PLOTS_CANVAS_TEXT_H

#include <stdio.h>

/* A fixed text, in gnuplot's enhanced text and in LaTeX. */
struct shk_label {
  char plain[160], latex[160];
};

struct shk_label shk_label(const char *plain, const char *latex);
/* Prints both forms with the same arguments. */
struct shk_label shk_label_print(const char *plain, const char *latex, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));
/* Words that are the same in both forms. */
struct shk_label shk_label_words(const char *words);
/* Joins two labels, with a comma or, after a single word, a blank between them. */
struct shk_label shk_label_join(struct shk_label first, struct shk_label second);
/* Label of the time axis; the unit is " (s)" or empty. */
struct shk_label shk_time_label(const char *unit);
/* A number with this many digits: "1.23 × 10⁻⁷", from 0.1 to 1000 without the power. Empty for
 * NaN. */
struct shk_label shk_label_number(double value, int digits);
/* A number with at most this many digits, without trailing zeros: "0.0025", "5 × 10⁻⁴". */
struct shk_label shk_label_rounded(double value, int digits);
/* A number with its half-width: "(1.23 ± 0.45) × 10⁻⁷". */
struct shk_label shk_label_measured(double value, double half_width);
/* Prints a row of data. NaN is written as gnuplot reads it; it leaves a gap in a line. */
void shk_print_numbers(FILE *file, const double *values, int count);
/* User text for a field of data: one line, valid UTF-8, without characters that gnuplot interprets.
 * The caller frees it. */
char *shk_data_text(const char *text);
/* Writes a text from shk_data_text as a field of data. */
void shk_print_field(FILE *file, const char *text);
/* Writes the last two fields of a row: a user text, plain and for LaTeX. */
void shk_print_both(FILE *file, const char *text);
/* User text for LaTeX; `text` comes from shk_data_text. The caller frees it. */
char *shk_latex_text(const char *text);
/* Number of characters. */
int shk_text_length(const char *text);
/* The text, with three points in place of its middle if it has more than `most` characters. The
 * caller frees it. */
char *shk_text_cut(const char *text, int most);
/* Part of a file name: [a-z0-9-], at most 60 characters. The caller frees it. */
char *shk_slug(const char *text);

#endif
