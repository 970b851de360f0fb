/* Texts of figures: ours twice, as they stand and for LaTeX; those of users made harmless. */
#ifndef PLOTS_CANVAS_TEXT_H
#define PLOTS_CANVAS_TEXT_H

#include <stdio.h>

/* A text of ours, in gnuplot's enhanced text and in LaTeX. */
struct shk_label {
  char plain[160], latex[160];
};

struct shk_label shk_label(const char *plain, const char *latex);
/* Both printed with the same arguments. */
struct shk_label shk_label_print(const char *plain, const char *latex, ...)
    __attribute__((format(printf, 1, 3), format(printf, 2, 3)));
/* Words that are the same in both. */
struct shk_label shk_label_words(const char *words);
/* Both, with a comma or, after a word alone, a blank between them. */
struct shk_label shk_label_join(struct shk_label first, struct shk_label second);
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
void shk_print_both(FILE *file, const char *text);
/* The same for LaTeX; `text` comes from shk_data_text. */
char *shk_latex_text(const char *text);
/* How many characters it has. */
int shk_text_length(const char *text);
/* The text without its middle if it has more characters, with three points there; the caller frees
 * it. */
char *shk_text_cut(const char *text, int most);
/* A file name's part: [a-z0-9-], at most 60 characters. The caller frees it. */
char *shk_slug(const char *text);

#endif
