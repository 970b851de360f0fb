/* Prints tables as aligned text that fits the width of the terminal. See export.h. */
#include "foundation/memory.h"
#include "results/export/export.h"

#include <stdlib.h>
#include <string.h>

/* Text columns are at least this wide, because narrower ones are hard to read. */
enum { LEAST_TEXT = 30, GAP = 2 };

/* Returns the length of the part of a word that fits into `room` characters. This is either the
 * whole word or a part that ends with a comma. A word that has no comma in that part is not
 * split. */
static size_t part_of_word(const char *word, int room)
{
  size_t part = 0;
  const size_t length = strlen(word);
  if (shk_print_plain(NULL, word) <= room)
    return length;
  for (size_t i = 0; i < length && (int)i < room; i++)
    if (word[i] == ',')
      part = i + 1;
  return part > 0 ? part : length;
}

void shk_print_wrapped(FILE *file, const char *text, int used, int indent, int width)
{
  char *const copy = shk_copy_text(text);
  bool first = true;
  for (char *rest = copy, *word; (word = strsep(&rest, " ")) != NULL; first = false) {
    const int length = shk_print_plain(NULL, word);
    if (!first && width > 0 && used + 1 + length > width) {
      fprintf(file, "\n%*s", indent, "");
      used = indent;
    } else if (!first) {
      putc(' ', file);
      used++;
    }
    while (width > 0 && *word) {
      const size_t part = part_of_word(word, width - used);
      char *const piece = shk_print_text("%.*s", (int)part, word);
      used += shk_print_plain(file, piece);
      free(piece);
      word += part;
      if (*word) {
        fprintf(file, "\n%*s", indent, "");
        used = indent;
      }
    }
    if (width <= 0)
      shk_print_plain(file, word);
  }
  free(copy);
}

struct fit {
  const struct shk_table *table;
  int *widths; /* widths of the columns */
  int lead;    /* number of leading columns that are printed above the rows that share them */
  int limit;   /* the line width if the last column is wrapped, and 0 otherwise */
};

static int total_width(const struct fit *fit)
{
  int sum = 0;
  for (int j = fit->lead; j < fit->table->column_count; j++)
    sum += fit->widths[j] + (j > fit->lead ? GAP : 0);
  return sum;
}

static void measure_table_text(struct fit *fit)
{
  const struct shk_table *const table = fit->table;
  for (int j = 0; j < table->column_count; j++)
    fit->widths[j] = shk_print_plain(NULL, table->names[j]);
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->column_count; j++) {
      const int width = table->rows[i][j] ? shk_print_plain(NULL, table->rows[i][j]) : 0;
      if (width > fit->widths[j])
        fit->widths[j] = width;
    }
}

/* Returns true if the lines fit when the last column is wrapped. */
static bool can_wrap(const struct fit *fit, int width)
{
  const int last = fit->table->column_count - 1;
  return fit->table->alignments[last] == SHK_ALIGN_LEFT && fit->widths[last] > LEAST_TEXT &&
         width - (total_width(fit) - fit->widths[last]) >= LEAST_TEXT;
}

static void arrange_table_text(struct fit *fit, int width)
{
  while (width > 0 && total_width(fit) > width && fit->limit == 0) {
    if (can_wrap(fit, width)) {
      fit->limit = width;
    } else if (fit->lead + 2 < fit->table->column_count) {
      fit->lead++;
    } else {
      return;
    }
  }
}

static void print_row(FILE *file, const struct fit *fit, char *const *row)
{
  const struct shk_table *const table = fit->table;
  /* number of blanks before the next field; they are not printed before that field, so that no line
   * ends in blanks */
  int blanks = 0;
  int at = 0; /* current position in the line */
  for (int j = fit->lead; j < table->column_count; j++) {
    const char *const text = row[j];
    const int pad = fit->widths[j] - (text ? shk_print_plain(NULL, text) : 0);
    const int before = table->alignments[j] != SHK_ALIGN_LEFT ? pad : 0;
    if (!text || text[0] == '\0') {
      blanks += fit->widths[j] + GAP;
      continue;
    }
    fprintf(file, "%*s", blanks + before, "");
    at += blanks + before;
    const bool wrapped = fit->limit > 0 && j == table->column_count - 1;
    if (wrapped)
      shk_print_wrapped(file, text, at, at, fit->limit);
    else
      at += shk_print_plain(file, text);
    blanks = pad - before + GAP;
  }
  putc('\n', file);
}

static bool same_lead(const struct fit *fit, char *const *a, char *const *b)
{
  for (int j = 0; j < fit->lead; j++)
    if (strcmp(a[j] ? a[j] : "", b[j] ? b[j] : "") != 0)
      return false;
  return true;
}

/* Prints the leading columns above the rows that share them, such as "quick, pendulum, rattle,
 * double". */
static void print_lead(FILE *file, const struct fit *fit, char *const *row, int width)
{
  char *line = shk_copy_text("");
  for (int j = 0; j < fit->lead; j++)
    if (row[j] && row[j][0] != '\0')
      shk_append_text(&line, "%s%s", line[0] != '\0' ? ", " : "", row[j]);
  shk_print_wrapped(file, line, 0, GAP, width);
  putc('\n', file);
  free(line);
}

void shk_table_print_text(FILE *file, const struct shk_table *table, int width)
{
  struct fit fit = {.table = table};
  fit.widths = shk_allocate((size_t)table->column_count, sizeof *fit.widths);
  measure_table_text(&fit);
  arrange_table_text(&fit, width);
  print_row(file, &fit, table->names);
  for (int i = 0; i < table->row_count; i++) {
    if (fit.lead > 0 && (i == 0 || !same_lead(&fit, table->rows[i], table->rows[i - 1]))) {
      putc('\n', file);
      print_lead(file, &fit, table->rows[i], width);
    }
    print_row(file, &fit, table->rows[i]);
  }
  free(fit.widths);
}
