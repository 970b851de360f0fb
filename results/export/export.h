/*
 * Tables for terminals and for programs. Every command fills this structure, which is then printed
 * as aligned text, CSV (RFC 4180), JSON or LaTeX (booktabs).
 */
#ifndef RESULTS_EXPORT_EXPORT_H
#define RESULTS_EXPORT_EXPORT_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stdio.h>

enum shk_format { SHK_FORMAT_TABLE, SHK_FORMAT_CSV, SHK_FORMAT_JSON, SHK_FORMAT_LATEX };

/* Alignment of a column. A column of numbers is aligned to the right. In LaTeX, siunitx typesets
 * its numbers, with or without a half-width (shk_measured_text). */
enum shk_alignment { SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT, SHK_ALIGN_NUMBER };

struct shk_table {
  int column_count, row_count;
  char **names; /* names of the columns, as in the CSV header */
  enum shk_alignment *alignments;
  char ***rows; /* row_count rows of column_count texts; NULL marks an absent text */
  FILE *stream; /* stream to which rows are printed as they are added; NULL to store them */
  enum shk_format stream_format;
  long streamed; /* number of rows printed to the stream */
};

/* Makes an empty table and copies the names. Without alignments, all columns are left-aligned. */
void shk_table_init(struct shk_table *table, int column_count, const char *const *names,
                    const enum shk_alignment *alignments);
/* Adds a row and copies its texts. */
void shk_table_add(struct shk_table *table, const char *const *texts);
void shk_table_clear(struct shk_table *table);
/* From now on, prints rows of CSV and JSON as they are added, because these formats do not need to
 * know all rows in advance. Calling shk_table_print with the same file completes them. The rows of
 * tables and LaTeX are stored. */
void shk_table_stream(struct shk_table *table, FILE *file, enum shk_format format);

/* Prints whole rows, terminated by newlines. An absent text is empty in CSV and null in JSON. LaTeX
 * omits empty columns. */
void shk_table_print(FILE *file, const struct shk_table *table, enum shk_format format);

/* Prints an HTML table without empty columns. `name` is used for the CSV file of its contents. */
void shk_table_print_html(FILE *file, const struct shk_table *table, const char *caption,
                          const char *name);

/* Prints aligned text in lines of at most `width` characters (0 for any length). If the table is
 * too wide, the text of its last column is wrapped, or its first columns are printed in a line
 * above the rows that share them. A word is broken only after a comma; longer words exceed the
 * width. */
void shk_table_print_text(FILE *file, const struct shk_table *table, int width);

/* Formats a number with `digits` significant digits including trailing zeros, such as 0.00123 or
 * 1.23e-7. The text is empty for NaN. The buffer has at least 32 bytes. Returns the buffer. */
char *shk_number_text(char *buffer, unsigned long size, double value, int digits);

/* Formats a value and its half-width in the form that siunitx reads: "2.0008 +- 0.0008" or "1.23 +-
 * 0.45 e-7". Without a positive half-width, only the value is printed, with four digits. The text
 * is empty for NaN. The buffer has at least 64 bytes. Returns the buffer. */
char *shk_measured_text(char *buffer, unsigned long size, double value, double half_width);

/* Functions that print one text with the escapes of a format, for lines outside tables. */
/* Prints for a terminal and returns the width in characters. `file` can be NULL. */
int shk_print_plain(FILE *file, const char *text);
/* Prints for a terminal in lines of at most `width` characters (0 for a single line). Lines are
 * wrapped between words, or after a comma in a long word. The first line already has `used`
 * characters; all other lines begin with `indent` blanks. */
void shk_print_wrapped(FILE *file, const char *text, int used, int indent, int width);
void shk_print_latex(FILE *file, const char *text);
/* Returns true if siunitx reads the whole text as a number: digits, signs, points, blanks, "e" and
 * parentheses, beginning with a digit or a minus sign. */
bool shk_is_latex_number(const char *text);
void shk_print_shell(FILE *file, const char *text); /* as a single word */
/* Prints between quotes of this kind, which are doubled inside the text. Used for gnuplot and
 * YAML. */
void shk_print_doubled(FILE *file, const char *text, char quote);
void shk_print_json(FILE *file, const char *text); /* between double quotes; also for YAML */
void shk_print_tap(FILE *file, const char *text); /* in a line of TAP, where # starts a directive */
void shk_print_xml(FILE *file, const char *text); /* characters that XML forbids become ? */

#endif
