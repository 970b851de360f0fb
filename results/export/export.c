/*
 * Prints tables. See export.h.
 */
#include "results/export/export.h"
#include "foundation/memory.h"
#include "foundation/utf8.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void shk_table_init(struct shk_table *table, int column_count, const char *const *names,
                    const enum shk_alignment *alignments)
{
  *table = (struct shk_table){.column_count = column_count};
  table->names = shk_allocate((size_t)column_count, sizeof *table->names);
  table->alignments = shk_allocate((size_t)column_count, sizeof *table->alignments);
  for (int i = 0; i < column_count; i++) {
    table->names[i] = shk_copy_text(names[i]);
    table->alignments[i] = alignments ? alignments[i] : SHK_ALIGN_LEFT;
  }
}

void shk_table_stream(struct shk_table *table, FILE *file, enum shk_format format)
{
  if (format == SHK_FORMAT_CSV || format == SHK_FORMAT_JSON) {
    table->stream = file;
    table->stream_format = format;
  }
}

void shk_table_clear(struct shk_table *table)
{
  for (int i = 0; i < table->row_count; i++)
    shk_free_texts(table->rows[i], table->column_count);
  shk_free_texts(table->names, table->column_count);
  free(table->rows);
  free(table->alignments);
  *table = (struct shk_table){0};
}

/* ---- single strings ---- */

/* Reads the next character of a UTF-8 string, returns its length in bytes, and sets *safe to
 * whether it can be displayed safely. Unsafe characters are invalid bytes (which are read one at a
 * time), control characters, and characters that change the writing direction or end a line. */
static int next_character(const unsigned char *at, bool *safe)
{
  unsigned point = 0;
  const size_t length = shk_utf8_character((const char *)at, strnlen((const char *)at, 4), &point);
  *safe = length > 0 && point >= 0x20 && point != 0x7F && !(point >= 0x80 && point < 0xA0) &&
          !(point >= 0x200E && point <= 0x200F) && !(point >= 0x2028 && point <= 0x202E) &&
          !(point >= 0x2066 && point <= 0x2069);
  return length > 0 ? (int)length : 1;
}

/* Prints a string to `file`, which can be NULL. `form` lists characters, each followed by its
 * replacement, and is terminated by NULL. Each byte of any other unsafe character is printed as
 * `unsafe`, followed by the byte's value if `unsafe` ends in x. Returns the width in characters,
 * where an unsafe byte counts as four characters. */
static int print_as(FILE *file, const char *text, const char *const *form, const char *unsafe)
{
  const bool numbered = unsafe[strlen(unsafe) - 1] == 'x';
  int width = 0;
  for (int length; *text != '\0'; text += length) {
    bool safe;
    const char *const *pair = form;
    length = next_character((const unsigned char *)text, &safe);
    width += safe ? 1 : 4 * length;
    while (*pair && strncmp(text, *pair, strlen(*pair)) != 0)
      pair += 2;
    if (file && (*pair || safe))
      fprintf(file, "%.*s", *pair ? (int)strlen(pair[1]) : length, *pair ? pair[1] : text);
    for (int i = 0; file && !*pair && !safe && i < length; i++) {
      fputs(unsafe, file);
      if (numbered)
        fprintf(file, "%02x", (unsigned char)text[i]);
    }
  }
  return width;
}

int shk_print_plain(FILE *file, const char *text)
{
  return print_as(file, text, (const char *[]){NULL}, "\\x");
}

void shk_print_tap(FILE *file, const char *text)
{
  print_as(file, text, (const char *[]){"#", "\\#", "\\", "\\\\", NULL}, "?");
}

void shk_print_xml(FILE *file, const char *text)
{
  /* U+FFFE and U+FFFF are not characters. */
  static const char *const form[] = {
      "<",     "&lt;", ">",     "&gt;",         "&", "&amp;",        "\t", "&#9;", "\n",
      "&#10;", "\"",   "&#34;", "\xEF\xBF\xBE", "?", "\xEF\xBF\xBF", "?",  NULL};
  print_as(file, text, form, "?");
}

static void print_between(FILE *file, const char *text, char quote, const char *instead)
{
  putc(quote, file);
  for (; *text != '\0'; text++)
    if (*text == quote)
      fputs(instead, file);
    else
      putc(*text, file);
  putc(quote, file);
}

void shk_print_doubled(FILE *file, const char *text, char quote)
{
  print_between(file, text, quote, (const char[]){quote, quote, '\0'});
}

/* Within single quotes, only the closing quote is special. */
void shk_print_shell(FILE *file, const char *text)
{
  print_between(file, text, '\'', "'\\''");
}

void shk_print_json(FILE *file, const char *text)
{
  char *const clean = shk_utf8_text(text, strlen(text));
  json_t *const json = json_string(clean);
  char *const encoded = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
  if (!encoded)
    shk_out_of_memory();
  fputs(encoded, file);
  free(encoded);
  json_decref(json);
  free(clean);
}

static void print_csv(FILE *file, const char *text)
{
  static const char *const form[] = {"\"", "\"\"", "\n", "\n", "\t", "\t", NULL};
  /* Fields with leading or trailing blanks are quoted, too, because some readers strip them. */
  const size_t length = strlen(text);
  const bool quoted =
      strpbrk(text, ",\"\r\n") || (length && (text[0] == ' ' || text[length - 1] == ' '));
  fputs(quoted ? "\"" : "", file);
  print_as(file, text, form, "\\x");
  fputs(quoted ? "\"" : "", file);
}

void shk_print_latex(FILE *file, const char *text)
{
  static const char *const form[] = {
#define REPLACED(text, latex) text, latex,
#include "results/export/latex.def"
#undef REPLACED
      NULL};
  print_as(file, text, form, "\\textbackslash{}x");
}

char *shk_number_text(char *buffer, unsigned long size, double value, int digits)
{
  if (isnan(value)) {
    buffer[0] = '\0';
  } else if (!isfinite(value)) {
    snprintf(buffer, size, "%s", value > 0 ? "inf" : "-inf");
  } else {
    /* %#g retains trailing zeros, which show the number of digits, but it also retains a trailing
     * decimal point. */
    snprintf(buffer, size, "%#.*g", digits, value);
    const size_t length = strlen(buffer);
    if (length && buffer[length - 1] == '.')
      buffer[length - 1] = '\0';
  }
  return buffer;
}

/* Returns the decimal exponent of a number's leading digit. */
static int first_digit(double value)
{
  return (int)floor(log10(fabs(value)));
}

/* The half-width is rounded up to two digits, and the value has the same number of decimals. If two
 * digits would require more than six decimals, four decimals are used. For small and large values,
 * the value and the half-width share one power of ten. */
char *shk_measured_text(char *buffer, unsigned long size, double value, double half_width)
{
  if (!isfinite(value) || !isfinite(half_width) || !(half_width > 0))
    return shk_number_text(buffer, size, value, 4);
  const int top =
      value != 0 && fabs(value) > half_width ? first_digit(value) : first_digit(half_width);
  const int exponent = top < -2 || top > 4 ? top : 0;
  int decimals = exponent - first_digit(half_width) + 1;
  decimals = decimals < 0 ? 0 : decimals > 6 ? 4 : decimals; /* rounded up */
  /* Rounding up may produce a third digit, as with 0.0996. In this case, one decimal is removed. */
  double unit = pow(10, -decimals),
         half = fmax(1, ceil(half_width / pow(10, exponent) / unit - 1e-9));
  if (half >= 100 && decimals > 0) {
    decimals--;
    unit *= 10;
    half = ceil(half / 10);
  }
  const int used = snprintf(buffer, size, "%.*f +- %.*f", decimals, value / pow(10, exponent),
                            decimals, half * unit);
  if (exponent != 0 && used > 0 && (unsigned long)used < size)
    snprintf(buffer + used, size - (unsigned long)used, " e%d", exponent);
  return buffer;
}

/* ---- tables ---- */

static void print_csv_row(FILE *file, const struct shk_table *table, const char *const *texts)
{
  for (int j = 0; j < table->column_count; j++) {
    if (j)
      putc(',', file);
    if (texts[j])
      print_csv(file, texts[j]);
  }
  putc('\n', file);
}

static void print_json_row(FILE *file, const struct shk_table *table, const char *const *texts)
{
  for (int j = 0; j < table->column_count; j++) {
    fputs(j == 0 ? "\n  {" : ",", file);
    shk_print_json(file, table->names[j]);
    putc(':', file);
    if (texts[j])
      shk_print_json(file, texts[j]);
    else
      fputs("null", file);
  }
  putc('}', file);
}

/* Prints a CSV or JSON row to the stream, preceded by a separator. */
static void print_record(const struct shk_table *table, const char *const *texts)
{
  FILE *const file = table->stream;
  if (table->stream_format == SHK_FORMAT_CSV) {
    if (table->streamed == 0)
      print_csv_row(file, table, (const char *const *)table->names);
    print_csv_row(file, table, texts);
  } else {
    putc(table->streamed == 0 ? '[' : ',', file);
    print_json_row(file, table, texts);
  }
}

void shk_table_add(struct shk_table *table, const char *const *texts)
{
  if (table->stream) {
    print_record(table, texts);
    table->streamed++;
    return;
  }
  char **row = shk_allocate((size_t)table->column_count, sizeof *row);
  for (int i = 0; i < table->column_count; i++)
    row[i] = shk_copy_text(texts[i]);
  *SHK_APPEND(table->rows, table->row_count) = row;
}

/* Prints the stored rows as CSV or JSON, followed by the end of the table (in JSON, the closing
 * bracket). */
static void print_records(FILE *file, const struct shk_table *table, enum shk_format format)
{
  struct shk_table streaming = *table;
  shk_table_stream(&streaming, file, format);
  for (int i = 0; i < table->row_count; i++)
    shk_table_add(&streaming, (const char *const *)table->rows[i]);
  if (streaming.streamed == 0 && format == SHK_FORMAT_CSV)
    print_csv_row(file, table, (const char *const *)table->names);
  if (format == SHK_FORMAT_JSON)
    fputs(streaming.streamed == 0 ? "[]\n" : "\n]\n", file);
}

bool shk_is_latex_number(const char *text)
{
  const char *at = text + (text[0] == '-');
  return *at >= '0' && *at <= '9' && strspn(text, "0123456789.+-e ()") == strlen(text);
}

static bool is_empty_column(const struct shk_table *table, int column)
{
  for (int i = 0; i < table->row_count; i++)
    if (table->rows[i][column] && table->rows[i][column][0])
      return false;
  return table->row_count > 0;
}

static void print_latex(FILE *file, const struct shk_table *table)
{
  bool numbers = false;
  for (int j = 0; j < table->column_count; j++)
    numbers = numbers || table->alignments[j] == SHK_ALIGN_NUMBER;
  fprintf(file, "%% needs \\usepackage{booktabs}%s and \\usepackage{textcomp}\n\\begin{tabular}{",
          numbers ? ", \\usepackage{siunitx}" : "");
  for (int j = 0; j < table->column_count; j++)
    if (!is_empty_column(table, j))
      putc(table->alignments[j] == SHK_ALIGN_LEFT ? 'l' : 'r', file);
  fputs("}\n", file);
  fputs("\\toprule\n", file);
  for (int i = -1; i < table->row_count; i++) {
    bool first = true;
    for (int j = 0; j < table->column_count; j++) {
      if (is_empty_column(table, j))
        continue;
      const char *text = i < 0 ? table->names[j] : table->rows[i][j];
      fputs(first ? "" : " & ", file);
      first = false;
      if (text && i >= 0 && table->alignments[j] == SHK_ALIGN_NUMBER && shk_is_latex_number(text))
        fprintf(file, "\\num{%s}", text);
      else if (text)
        shk_print_latex(file, text);
    }
    fputs(i < 0 ? " \\\\\n\\midrule\n" : " \\\\\n", file);
  }
  fputs("\\bottomrule\n\\end{tabular}\n", file);
}

void shk_table_print_html(FILE *file, const struct shk_table *table, const char *caption,
                          const char *name)
{
  fprintf(file, "<div class=\"scroll\"><table data-name=\"%s\"><caption>", name);
  shk_print_xml(file, caption);
  fputs("</caption><thead>", file);
  for (int i = -1; i < table->row_count; i++) {
    fputs("<tr>", file);
    for (int j = 0; j < table->column_count; j++) {
      const char *const text = i < 0 ? table->names[j] : table->rows[i][j];
      if (is_empty_column(table, j))
        continue;
      fprintf(file, "<%s%s>", i < 0 ? "th" : "td",
              table->alignments[j] == SHK_ALIGN_LEFT ? "" : " class=\"number\"");
      shk_print_xml(file, text ? text : "");
      fputs(i < 0 ? "</th>" : "</td>", file);
    }
    fputs(i < 0 ? "</tr></thead><tbody>\n" : "</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
}

/* JSON preserves every string, apart from escapes. CSV and tables print unsafe characters as \xNN,
 * except that CSV preserves newlines and tabs. LaTeX escapes special characters. */
void shk_table_print(FILE *file, const struct shk_table *table, enum shk_format format)
{
  if (format == SHK_FORMAT_TABLE)
    shk_table_print_text(file, table, 0);
  else if (format == SHK_FORMAT_LATEX)
    print_latex(file, table);
  else
    print_records(file, table, format);
}
