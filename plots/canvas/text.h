/* Texts in figures: numbers as papers print them, and user text escaped for gnuplot and LaTeX. */
#ifndef PLOTS_CANVAS_TEXT_H
#define PLOTS_CANVAS_TEXT_H

#include <stdio.h>

/* A short UTF-8 text written by the program and passed by value. */
struct shk_phrase {
  char text[160];
};

/* Returns a formatted text, truncated to the size of a phrase. */
struct shk_phrase shk_phrase(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns a number with this many digits, such as "1.23 × 10⁻⁷". The text is empty for NaN. */
struct shk_phrase shk_phrase_number(double value, int digits);
/* Returns a number with at most this many digits and without trailing zeros, such as "0.0025" or
 * "10⁻⁵". */
struct shk_phrase shk_phrase_rounded(double value, int digits);
/* Returns a number with its half-width in units of the last digit, such as "1.23(5) × 10⁻⁷". */
struct shk_phrase shk_phrase_measured(double value, double half_width);

/* Returns user text in the form that gnuplot reads in data: one line, valid UTF-8, without double
 * quotes. The caller frees it. */
char *shk_data_text(const char *text);
/* Returns user text escaped for LaTeX. The caller frees it. */
char *shk_latex_text(const char *text);
/* Writes a text as two data fields, plain and for LaTeX. */
void shk_print_both(FILE *file, const char *text);
/* Returns the part of the text after its first `count` characters. */
const char *shk_text_after(const char *text, int count);
/* Returns the text, with three dots in place of its middle if it has more than `most` characters.
 * The caller frees it. */
char *shk_text_cut(const char *text, int most);
/* Returns a part for a file name: at most 60 characters from [a-z0-9-]. The caller frees it. */
char *shk_slug(const char *text);

#endif
