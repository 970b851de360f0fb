/* Texts of figures: numbers as papers print them, and user text escaped for gnuplot and LaTeX. */
#ifndef PLOTS_CANVAS_TEXT_H
#define PLOTS_CANVAS_TEXT_H

#include <stdio.h>

/* A short text of the program in UTF-8, passed by value. */
struct shk_phrase {
  char text[160];
};

/* A formatted text, cut to its size. */
struct shk_phrase shk_phrase(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A number with this many digits, "1.23 × 10⁻⁷"; empty for NaN. */
struct shk_phrase shk_phrase_number(double value, int digits);
/* A number with at most this many digits, without trailing zeros: "0.0025", "10⁻⁵". */
struct shk_phrase shk_phrase_rounded(double value, int digits);
/* A number with its half-width in its last digit, "1.23(5) × 10⁻⁷". */
struct shk_phrase shk_phrase_measured(double value, double half_width);

/* User text as gnuplot reads it in data: one line, valid UTF-8, without double quotes. The caller
 * frees it. */
char *shk_data_text(const char *text);
/* The same for LaTeX. The caller frees it. */
char *shk_latex_text(const char *text);
/* Writes a text as two fields of data, plain and for LaTeX. */
void shk_print_both(FILE *file, const char *text);
/* The text after its first `count` characters. */
const char *shk_text_after(const char *text, int count);
/* The text, with three points in place of its middle if it has more than `most` characters. The
 * caller frees it. */
char *shk_text_cut(const char *text, int most);
/* Part of a file name: [a-z0-9-], at most 60 characters. The caller frees it. */
char *shk_slug(const char *text);

#endif
