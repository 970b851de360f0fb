/*
 * Prints tables for terminals and programs. Every command fills a struct shk_table, which is then
 * printed as aligned text, CSV (RFC 4180), JSON or LaTeX (booktabs).
 */
#ifndef RESULTS_EXPORT_EXPORT_H
#define RESULTS_EXPORT_EXPORT_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stdio.h>

enum shk_format { SHK_FORMAT_TABLE, SHK_FORMAT_CSV, SHK_FORMAT_JSON, SHK_FORMAT_LATEX };

/* Alignment of a column. A column of numbers is right-aligned. In LaTeX, the numbers are typeset by
 * siunitx, with or without half-widths (shk_measured_text). */
enum shk_alignment { SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT, SHK_ALIGN_NUMBER };

struct shk_table {
  int column_count, row_count;
  char **names; /* names of the columns, as in the CSV header */
  enum shk_alignment *alignments;
  char ***rows; /* row_count rows of column_count strings; NULL marks a missing string */
  FILE *stream; /* stream to which rows are printed as they are added; if NULL, rows are stored */
  enum shk_format stream_format;
  long streamed; /* number of rows printed to the stream so far */
};

/* Initializes an empty table. The column names are copied. If `alignments` is NULL, all columns are
 * left-aligned. */
void shk_table_init(struct shk_table *table, int column_count, const char *const *names,
                    const enum shk_alignment *alignments);
/* Adds a row. The strings are copied. */
void shk_table_add(struct shk_table *table, const char *const *texts);
void shk_table_clear(struct shk_table *table);
/* After this call, CSV and JSON rows are printed as they are added, because these formats do not
 * require all rows to be known in advance. Call shk_table_print with the same file to complete the
 * output. In the other formats, rows are stored. */
void shk_table_stream(struct shk_table *table, FILE *file, enum shk_format format);

/* Prints whole rows, each terminated by a newline. A missing string is empty in CSV and null in
 * JSON. LaTeX output omits empty columns. */
void shk_table_print(FILE *file, const struct shk_table *table, enum shk_format format);

/* Prints an HTML table, omitting empty columns. `name` is the name of a CSV file with the same
 * contents. */
void shk_table_print_html(FILE *file, const struct shk_table *table, const char *caption,
                          const char *name);

/* Prints aligned text in lines of at most `width` characters (0 means no limit). If the table is
 * too wide, either the last column is wrapped, or the leading columns are printed on a separate
 * line above the rows that share their values. A word is broken only after a comma; if it is still
 * too long, it exceeds the width. */
void shk_table_print_text(FILE *file, const struct shk_table *table, int width);

/* Formats a number with `digits` significant digits, including trailing zeros, such as 0.00123 or
 * 1.23e-7. The result is empty for NaN. The buffer must hold at least 32 bytes. Returns the
 * buffer. */
char *shk_number_text(char *buffer, unsigned long size, double value, int digits);

/* Formats a value and its half-width in siunitx's input format: "2.0008 +- 0.0008" or "1.23 +- 0.45
 * e-7". If the half-width is not positive, only the value is printed, with four digits. The result
 * is empty for NaN. The buffer must hold at least 64 bytes. Returns the buffer. */
char *shk_measured_text(char *buffer, unsigned long size, double value, double half_width);

/* The following functions print a string with the escapes of a format, for lines outside tables. */
/* Prints a string for a terminal and returns its width in characters. `file` can be NULL. */
int shk_print_plain(FILE *file, const char *text);
/* Prints a string for a terminal in lines of at most `width` characters (0 means a single line).
 * Lines are wrapped between words, or after a comma in a long word. The first line already contains
 * `used` characters; all other lines begin with `indent` blanks. */
void shk_print_wrapped(FILE *file, const char *text, int used, int indent, int width);
void shk_print_latex(FILE *file, const char *text);
/* Returns true if siunitx reads the whole string as a number: it must contain only digits, signs,
 * decimal points, blanks, "e" and parentheses, and start with a digit or a minus sign. */
bool shk_is_latex_number(const char *text);
void shk_print_shell(FILE *file, const char *text); /* prints the string as a single shell word */
/* Prints a string in quotes of the given kind, with quotes inside the string doubled. Used for
 * gnuplot and YAML. */
void shk_print_doubled(FILE *file, const char *text, char quote);
void shk_print_json(FILE *file, const char *text); /* prints in double quotes; also used for YAML */
/* for TAP lines, in which # starts a directive */
void shk_print_tap(FILE *file, const char *text);
void shk_print_xml(FILE *file, const char *text); /* replaces characters that XML forbids with ? */

#endif
