/*
 * Texts of figures: user text is escaped here, for gnuplot's data files, for LaTeX and for file
 * names.
 *
 * In a data file gnuplot ends a field at a double quote and interprets backslash escapes. It
 * interprets nothing else (no command substitution, and labels are drawn without enhanced text).
 */
#include "plots/canvas/text.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct shk_label shk_label(const char *plain, const char *latex)
{
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%s", plain);
  snprintf(label.latex, sizeof label.latex, "%s", latex);
  return label;
}

struct shk_label shk_label_print(const char *plain, const char *latex, ...)
{
  struct shk_label label;
  va_list arguments, again;
  va_start(arguments, latex);
  va_copy(again, arguments);
  vsnprintf(label.plain, sizeof label.plain, plain, arguments);
  vsnprintf(label.latex, sizeof label.latex, latex, again);
  va_end(again);
  va_end(arguments);
  return label;
}

struct shk_label shk_label_words(const char *words)
{
  return shk_label(words, words);
}

struct shk_label shk_label_join(struct shk_label first, struct shk_label second)
{
  const char *const between = !first.plain[0] || !second.plain[0]  ? ""
                              : strpbrk(first.plain, "0123456789") ? ", "
                                                                   : " ";
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%.78s%s%.78s", first.plain, between, second.plain);
  snprintf(label.latex, sizeof label.latex, "%.78s%s%.78s", first.latex, between, second.latex);
  return label;
}

struct shk_label shk_time_label(const char *unit)
{
  return shk_label_print("time\u00a0{/:Italic t}%s", "time $t$%s", unit);
}

/* The power as superscripts, "⁻⁸", since entries of the legend are drawn without enhanced text. */
static const char *superscript(char text[16], int power)
{
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[8];
  text[0] = '\0';
  snprintf(plain, sizeof plain, "%d", power % 1000);
  for (const char *at = plain; *at != '\0'; at++)
    strcat(text, *at == '-' ? "⁻" : digits[*at - '0']);
  return text;
}

/* Appends a power of ten to digits. */
static struct shk_label with_power(const char *digits, int power)
{
  char above[16];
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%s%.40s × 10%s", *digits == '-' ? "−" : "",
           digits + (*digits == '-'), superscript(above, power));
  snprintf(label.latex, sizeof label.latex, "$%.40s\\times10^{%d}$", digits, power);
  return label;
}

struct shk_label shk_label_number(double value, int digits)
{
  char text[40];
  if (!isfinite(value))
    return shk_label_words("");
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  char *const e = strchr(text, 'e');
  const int power = (int)strtol(e + 1, NULL, 10);
  *e = '\0';
  if (value != 0 && (power < -1 || power > 2))
    return with_power(text, power);
  snprintf(text, sizeof text, "%.*f", digits - 1 - power > 0 ? digits - 1 - power : 0, value);
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%s%s", value < 0 ? "−" : "", text + (value < 0));
  snprintf(label.latex, sizeof label.latex, "$%s$", text);
  return value == 0 ? shk_label_words("0") : label;
}

struct shk_label shk_label_rounded(double value, int digits)
{
  char text[40], above[16];
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  const int power = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  if (power >= -3 && power < 5) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    return shk_label_words(text);
  }
  snprintf(text, sizeof text, "%.*g", digits, value / pow(10, power));
  if (strcmp(text, "1") == 0) {
    struct shk_label label;
    snprintf(label.plain, sizeof label.plain, "10%s", superscript(above, power));
    snprintf(label.latex, sizeof label.latex, "$10^{%d}$", power);
    return label;
  }
  return with_power(text, power);
}

struct shk_label shk_label_measured(double value, double half_width)
{
  char text[64], above[16];
  shk_measured_text(text, sizeof text, value, half_width);
  const char *const sign = strstr(text, " +- "), *const e = strstr(text, " e");
  if (!sign)
    return shk_label_number(value, 4);
  const char *const half = sign + 4;
  const int first = (int)(sign - text);
  const bool negative = text[0] == '-';
  const char *const minus = negative ? "−" : "";
  struct shk_label label;
  if (!e) {
    snprintf(label.plain, sizeof label.plain, "%s%.*s ± %s", minus, first - negative,
             text + negative, half);
    snprintf(label.latex, sizeof label.latex, "$%.*s\\pm%s$", first, text, half);
    return label;
  }
  const int second = (int)(e - half), power = (int)strtol(e + 2, NULL, 10);
  snprintf(label.plain, sizeof label.plain, "(%s%.*s ± %.*s) × 10%s", minus, first - negative,
           text + negative, second, half, superscript(above, power));
  snprintf(label.latex, sizeof label.latex, "$(%.*s\\pm%.*s)\\times10^{%d}$", first, text, second,
           half, power);
  return label;
}

void shk_print_numbers(FILE *file, const double *values, int count)
{
  for (int i = 0; i < count; i++) {
    const char *const tab = i > 0 ? "\t" : "";
    if (isfinite(values[i]))
      fprintf(file, "%s%.9g", tab, values[i]);
    else
      fprintf(file, "%sNaN", tab);
  }
}

/* The length of a printable UTF-8 character; 0 for a control character or an invalid byte. */
static size_t shown_length(const unsigned char *at)
{
  if (at[0] < 0x80)
    return at[0] >= 0x20 && at[0] != 0x7f;
  const size_t length = at[0] >= 0xf0 && at[0] < 0xf5   ? 4
                        : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                        : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                                                        : 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
      (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f) ||
      (at[0] == 0xc2 && at[1] < 0xa0))
    return 0;
  return length;
}

char *shk_data_text(const char *text)
{
  char *const result = shk_allocate(2 * strlen(text) + 1, 1);
  size_t to = 0;
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    const size_t length = shown_length(at);
    if (length == 0) {
      result[to++] = '?';
    } else if (*at == '"') {
      result[to++] = '\'';
    } else {
      memcpy(result + to, at, length);
      to += length;
    }
    at += length > 0 ? length : 1;
  }
  return result;
}

char *shk_latex_text(const char *text)
{
  char *result = NULL;
  size_t size;
  FILE *const file = open_memstream(&result, &size);
  if (!file) {
    shk_out_of_memory();
    return NULL;
  }
  shk_print_latex(file, text);
  fclose(file);
  return result;
}

/* A backslash in a field is doubled, since gnuplot interprets escapes. */
void shk_print_field(FILE *file, const char *text)
{
  for (; *text; text++) {
    if (*text == '\\')
      putc('\\', file);
    putc(*text, file);
  }
}

void shk_print_both(FILE *file, const char *text)
{
  char *const safe = shk_data_text(text), *const latex = shk_latex_text(safe);
  shk_print_field(file, safe);
  putc('\t', file);
  shk_print_field(file, latex);
  free(latex);
  free(safe);
}

static bool begins_character(const char *at)
{
  return ((unsigned char)*at & 0xc0) != 0x80;
}

int shk_text_length(const char *text)
{
  int count = 0;
  for (; *text; text++)
    count += begins_character(text);
  return count;
}

char *shk_text_cut(const char *text, int most)
{
  const int length = shk_text_length(text), head = (most - 3) / 2,
            tail = length - (most - 3 - head);
  const char *first = NULL, *last = text;
  int count = 0;
  for (const char *at = text; *at; at++) {
    if (!begins_character(at))
      continue;
    first = count == head ? at : first;
    last = count == tail ? at : last;
    count++;
  }
  return length <= most ? shk_copy_text(text)
                        : shk_print_text("%.*s...%s", (int)(first - text), text, last);
}

char *shk_slug(const char *text)
{
  enum { LIMIT = 60 };
  char *const result = shk_allocate(LIMIT + 1, 1);
  size_t length = 0;
  for (; *text && length < LIMIT; text++) {
    const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      result[length++] = c;
    else if (length > 0 && result[length - 1] != '-')
      result[length++] = '-';
  }
  while (length > 0 && result[length - 1] == '-')
    result[--length] = '\0';
  if (length == 0)
    result[0] = 'x';
  return result;
}
