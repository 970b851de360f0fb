/*
 * Printing tables. See export.h.
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

static void print_record(FILE *file, const struct shk_table *table, enum shk_format format,
                         const char *const *texts, long i);

void shk_table_stream(struct shk_table *table, FILE *file, enum shk_format format)
{
  if (format == SHK_FORMAT_CSV || format == SHK_FORMAT_JSON) {
    table->stream = file;
    table->stream_format = format;
  }
}

void shk_table_add(struct shk_table *table, const char *const *texts)
{
  if (table->stream) {
    print_record(table->stream, table, table->stream_format, texts, table->streamed++);
    return;
  }
  char **row = shk_allocate((size_t)table->column_count, sizeof *row);
  for (int i = 0; i < table->column_count; i++)
    row[i] = shk_copy_text(texts[i]);
  *SHK_APPEND(table->rows, table->row_count) = row;
}

void shk_table_clear(struct shk_table *table)
{
  for (int i = 0; i < table->row_count; i++) {
    shk_free_texts(table->rows[i], table->column_count);
  }
  for (int i = 0; i < table->column_count; i++)
    free(table->names[i]);
  free(table->rows);
  free(table->names);
  free(table->alignments);
  *table = (struct shk_table){0};
}

/* ---- one text ---- */

/* Reads the next character of UTF-8 text. Returns its length in bytes, and whether it is safe to
 * show. Invalid bytes are taken one by one and are not safe, nor are C1 controls and the marks that
 * change the direction of writing. */
static int next_character(const unsigned char *at, bool *safe)
{
  unsigned point = 0;
  const size_t length = shk_utf8_character((const char *)at, strnlen((const char *)at, 4), &point);
  *safe = length > 0 && point >= 0x20 && point != 0x7F && !(point >= 0x80 && point < 0xA0) &&
          !(point >= 0x200E && point <= 0x200F) && !(point >= 0x2028 && point <= 0x202E) &&
          !(point >= 0x2066 && point <= 0x2069);
  return length > 0 ? (int)length : 1;
}

int shk_print_plain(FILE *file, const char *text)
{
  int width = 0;
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    bool safe;
    const int length = next_character(at, &safe);
    for (int i = 0; file && i < length; i++)
      fprintf(file, safe ? "%c" : "\\x%02x", at[i]);
    width += safe ? 1 : 4 * length;
    at += length;
  }
  return width;
}

void shk_print_tap(FILE *file, const char *text)
{
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '#' || c == '\\')
      fprintf(file, "\\%c", c);
    else
      putc(c < 0x20 || c == 0x7F ? '?' : c, file);
  }
}

void shk_print_xml(FILE *file, const char *text)
{
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    bool safe;
    const int length = next_character(at, &safe);
    /* U+FFFE and U+FFFF are not characters. */
    safe = safe && !(length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE);
    if (*at == '<' || *at == '>' || *at == '&')
      fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;", file);
    else if (*at == '\t' || *at == '\n' || *at == '"')
      fprintf(file, "&#%d;", *at);
    else if (safe)
      fwrite(at, 1, (size_t)length, file);
    else
      putc('?', file);
    at += length;
  }
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

/* Between single quotes only the closing quote is special. */
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

void shk_print_csv(FILE *file, const char *text)
{
  /* Leading and trailing blanks are quoted too, since some readers strip them. */
  const size_t length = strlen(text);
  const bool quoted =
      strpbrk(text, ",\"\r\n") || (length && (text[0] == ' ' || text[length - 1] == ' '));
  fputs(quoted ? "\"" : "", file);
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    bool safe;
    const int size = next_character(at, &safe);
    if (*at == '"')
      putc('"', file);
    for (int i = 0; i < size; i++)
      fprintf(file, safe || *at == '\n' || *at == '\t' ? "%c" : "\\x%02x", at[i]);
    at += size;
  }
  fputs(quoted ? "\"" : "", file);
}

void shk_print_latex(FILE *file, const char *text)
{
  static const char *const escapes[128] = {
      ['\\'] = "\\textbackslash{}",
      ['{'] = "\\{",
      ['}'] = "\\}",
      ['$'] = "\\$",
      ['&'] = "\\&",
      ['#'] = "\\#",
      ['%'] = "\\%",
      ['_'] = "\\_",
      ['~'] = "\\textasciitilde{}",
      ['^'] = "\\textasciicircum{}",
      ['<'] = "\\textless{}",
      ['>'] = "\\textgreater{}",
      ['|'] = "\\textbar{}",
      ['"'] = "\\textquotedbl{}",
      ['`'] = "\\textasciigrave{}",
      ['\''] = "\\textquotesingle{}",
      ['['] = "{[}", /* after the end of a row, [ and * are arguments of \\ */
      ['*'] = "{*}",
      ['\t'] = " ",
      ['\n'] = " ",
      ['\r'] = " ",
  };
  /* Characters beyond ASCII that we print ourselves. Others need a LaTeX engine that reads
   * UTF-8. */
  static const struct {
    const char *bytes, *latex;
  } known[] = {{"±", "$\\pm$"},     {"≥", "$\\ge$"},     {"≤", "$\\le$"},    {"×", "$\\times$"},
               {"λ", "$\\lambda$"}, {"μ", "$\\mu$"},     {"·", "$\\cdot$"},  {"…", "\\dots{}"},
               {"–", "--"},         {"½", "$\\frac12$"}, {"ω", "$\\omega$"}, {"−", "$-$"},
               {"⁻", "$^-$"},       {"⁰", "$^0$"},       {"¹", "$^1$"},      {"²", "$^2$"},
               {"³", "$^3$"},       {"⁴", "$^4$"},       {"⁵", "$^5$"},      {"⁶", "$^6$"},
               {"⁷", "$^7$"},       {"⁸", "$^8$"},       {"⁹", "$^9$"},      {"°", "$^\\circ$"}};
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    bool safe;
    const int length = next_character(at, &safe);
    if (length == 1 && at[0] < 128 && escapes[at[0]]) {
      fputs(escapes[at[0]], file);
    } else if (at[0] == '-' && at[1] == '-') {
      fputs("-{}", file); /* two hyphens would become a dash */
    } else if (!safe) {
      for (int i = 0; i < length; i++)
        fprintf(file, "\\textbackslash{}x%02x", at[i]);
    } else {
      const char *latex = NULL;
      for (size_t i = 0; !latex && i < sizeof known / sizeof known[0]; i++)
        if (strncmp((const char *)at, known[i].bytes, strlen(known[i].bytes)) == 0)
          latex = known[i].latex;
      if (latex)
        fputs(latex, file);
      else
        fwrite(at, 1, (size_t)length, file);
    }
    at += length;
  }
}

char *shk_number_text(char *buffer, unsigned long size, double value, int digits)
{
  if (isnan(value)) {
    buffer[0] = '\0';
  } else if (!isfinite(value)) {
    snprintf(buffer, size, "%s", value > 0 ? "inf" : "-inf");
  } else {
    /* %#g keeps the zeros that show the number of digits, but also a trailing point. */
    snprintf(buffer, size, "%#.*g", digits, value);
    const size_t length = strlen(buffer);
    if (length && buffer[length - 1] == '.')
      buffer[length - 1] = '\0';
  }
  return buffer;
}

/* Decimal exponent of a number's first digit. */
static int first_digit(double value)
{
  return (int)floor(log10(fabs(value)));
}

/* Formats the half-width with two digits, rounded up (one, at the fourth decimal, if two need more
 * than six decimals), and the value with as many decimals. Small and large values have one power of
 * ten for both. */
char *shk_measured_text(char *buffer, unsigned long size, double value, double half_width)
{
  if (!isfinite(value) || !isfinite(half_width) || !(half_width > 0))
    return shk_number_text(buffer, size, value, 4);
  const int top =
      value != 0 && fabs(value) > half_width ? first_digit(value) : first_digit(half_width);
  const int exponent = top < -2 || top > 4 ? top : 0;
  int decimals = exponent - first_digit(half_width) + 1;
  decimals = decimals < 0 ? 0 : decimals > 6 ? 4 : decimals; /* rounded up */
  /* Rounding up may give a third digit, as for 0.0996; one decimal is then removed. */
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
      shk_print_csv(file, texts[j]);
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

/* Prints the i-th row of CSV or JSON, from 0, with the separator before it. */
static void print_record(FILE *file, const struct shk_table *table, enum shk_format format,
                         const char *const *texts, long i)
{
  if (format == SHK_FORMAT_CSV) {
    if (i == 0)
      print_csv_row(file, table, (const char *const *)table->names);
    print_csv_row(file, table, texts);
  } else {
    putc(i == 0 ? '[' : ',', file);
    print_json_row(file, table, texts);
  }
}

/* Prints the remaining rows of CSV or JSON. */
static void print_records(FILE *file, const struct shk_table *table, enum shk_format format)
{
  const bool empty = table->row_count == 0 && table->streamed == 0;
  for (int i = 0; i < table->row_count; i++)
    print_record(file, table, format, (const char *const *)table->rows[i], i);
  if (empty && format == SHK_FORMAT_CSV)
    print_csv_row(file, table, (const char *const *)table->names);
  if (format == SHK_FORMAT_JSON)
    fputs(empty ? "[]\n" : "\n]\n", file);
}

/* True if siunitx reads the whole text: digits, signs, a point, "e" and "+-" or "(…)", beginning
 * with a digit or a sign. */
static bool is_number(const char *text)
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
  int columns = 0;
  for (int j = 0; j < table->column_count; j++) {
    numbers = numbers || table->alignments[j] == SHK_ALIGN_NUMBER;
    columns += !is_empty_column(table, j);
  }
  fprintf(file, "%% needs \\usepackage{booktabs}%s and \\usepackage{textcomp}\n\\begin{tabular}{",
          numbers ? ", \\usepackage{siunitx}" : "");
  for (int j = 0; j < table->column_count; j++)
    if (!is_empty_column(table, j))
      putc(table->alignments[j] == SHK_ALIGN_LEFT ? 'l' : 'r', file);
  fputs("}\n", file);
  if (table->title) {
    fprintf(file, "\\multicolumn{%d}{l}{", columns);
    shk_print_latex(file, table->title);
    fputs("} \\\\\n", file);
  }
  fputs("\\toprule\n", file);
  for (int i = -1; i < table->row_count; i++) {
    bool first = true;
    for (int j = 0; j < table->column_count; j++) {
      if (is_empty_column(table, j))
        continue;
      const char *text = i < 0 ? table->names[j] : table->rows[i][j];
      fputs(first ? "" : " & ", file);
      first = false;
      if (text && i < 0 && table->latex_names)
        fputs(text, file);
      else if (text && i >= 0 && table->alignments[j] == SHK_ALIGN_NUMBER && is_number(text))
        fprintf(file, "\\num{%s}", text);
      else if (text)
        shk_print_latex(file, text);
    }
    fputs(i < 0 ? " \\\\\n\\midrule\n" : " \\\\\n", file);
  }
  fputs("\\bottomrule\n\\end{tabular}\n", file);
}

/* CSV and JSON contain every text unchanged, apart from escapes in JSON. In CSV and tables, control
 * characters other than newlines and tabs are written \xNN. In LaTeX special characters are
 * escaped. */
void shk_table_print(FILE *file, const struct shk_table *table, enum shk_format format)
{
  switch (format) {
  case SHK_FORMAT_TABLE:
    shk_table_print_text(file, table, 0);
    break;
  case SHK_FORMAT_CSV:
  case SHK_FORMAT_JSON:
    print_records(file, table, format);
    break;
  case SHK_FORMAT_LATEX:
    print_latex(file, table);
    break;
  }
}

bool shk_format_parse(enum shk_format *format, const char *word, struct shk_message *error)
{
  static const char *const words[] = {"table", "csv", "json", "latex"};
  for (int i = 0; i < 4; i++) {
    if (strcmp(word, words[i]) == 0) {
      *format = (enum shk_format)i;
      return true;
    }
  }
  shk_message_set(error, "unknown format \"%s\", expected table, csv, json or latex", word);
  return false;
}
