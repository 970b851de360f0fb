/*
 * Tables, for people and for programs: one structure that every command fills and that is printed
 * as aligned text, CSV (RFC 4180), JSON or LaTeX (booktabs).
 */
#ifndef RESULTS_EXPORT_EXPORT_H
#define RESULTS_EXPORT_EXPORT_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stdio.h>

enum shk_format { SHK_FORMAT_TABLE, SHK_FORMAT_CSV, SHK_FORMAT_JSON, SHK_FORMAT_LATEX };

/* A column of numbers is to the right; in LaTeX what is a number there, with or without its
 * half-width (shk_measured_text), is set by siunitx. */
enum shk_alignment { SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT, SHK_ALIGN_NUMBER };

struct shk_table {
  int column_count, row_count;
  char **names; /* of the columns, as in the CSV header */
  enum shk_alignment *alignments;
  char ***rows; /* row_count rows of column_count texts; NULL: nothing to say there */
  FILE *stream; /* where rows are printed as they are added; NULL: they are kept */
  enum shk_format stream_format;
  long streamed;     /* rows that have been printed */
  bool latex_names;  /* the names are LaTeX already */
  const char *title; /* above them in LaTeX; NULL: none */
};

/* Makes an empty table; the names are copied. Without alignments everything is to the left. */
void shk_table_init(struct shk_table *table, int column_count, const char *const *names,
                    const enum shk_alignment *alignments);
/* Adds a row; the texts are copied. */
void shk_table_add(struct shk_table *table, const char *const *texts);
void shk_table_clear(struct shk_table *table);
/* CSV and JSON need not have all rows to print the first: from now on rows are printed as they are
 * added, and shk_table_print to the same file ends what they began. Tables and LaTeX keep them. */
void shk_table_stream(struct shk_table *table, FILE *file, enum shk_format format);

/* Whole rows, ended by newlines. CSV and JSON have every text as it is, but for JSON's escapes and,
 * in CSV, control characters other than newlines and tabs, which are shown as \xNN there and in
 * tables; an absent text is empty in CSV and null in JSON. In LaTeX everything special is escaped,
 * and columns in which no row has anything are left out. */
void shk_table_print(FILE *file, const struct shk_table *table, enum shk_format format);

/* Aligned text in lines of at most `width` characters; 0: of any length. What is too wide has the
 * text of its last column broken between words, or its first columns said in a line above the rows
 * that share them. A word is never broken. */
void shk_table_print_text(FILE *file, const struct shk_table *table, int width);

/* "table", "csv", "json" or "latex"; false with what is expected. */
bool shk_format_parse(enum shk_format *format, const char *word, struct shk_message *error);

/* A number as tables show it: `digits` significant ones, trailing zeros kept, as 0.00123 or
 * 1.23e-7, and empty for NaN. size at least 32. Returns the buffer. */
char *shk_number_text(char *buffer, unsigned long size, double value, int digits);

/* "2.0008 +- 0.0008": a value and its half-width, which keeps two digits, rounded up (where that
 * takes more than six decimals, one at the fourth), and the value as many decimals; both before one
 * power of ten, as siunitx reads it, where they are small or large: "1.23 +- 0.45 e-7". With a
 * half-width that is no positive number the value alone, of four digits. Empty for NaN. size at
 * least 64. Returns the buffer. */
char *shk_measured_text(char *buffer, unsigned long size, double value, double half_width);

/* One text, escaped for that form: for lines that are not tables. */
/* For a terminal; returns the width in characters. file may be NULL. */
int shk_print_plain(FILE *file, const char *text);
/* The same in lines of at most `width` characters, broken between words; `used` of the first are
 * taken, and the others begin with `indent` blanks. width 0: one line. */
void shk_print_wrapped(FILE *file, const char *text, int used, int indent, int width);
void shk_print_csv(FILE *file, const char *text); /* one field */
void shk_print_latex(FILE *file, const char *text);
void shk_print_shell(FILE *file, const char *text); /* one word */
/* Between quotes of this kind, which are doubled within: for gnuplot and for YAML. */
void shk_print_doubled(FILE *file, const char *text, char quote);
void shk_print_json(FILE *file, const char *text); /* between double quotes; also for YAML */
void shk_print_tap(FILE *file, const char *text); /* in a line of TAP, where # begins a directive */
void shk_print_xml(FILE *file, const char *text); /* text or attribute; what XML cannot hold: ? */

#endif
