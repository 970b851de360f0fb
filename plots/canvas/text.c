/*
 * Formats the text in figures. In data files, gnuplot treats double quotes as delimiters and
 * interprets backslash escapes. It interprets nothing else, because names are drawn without
 * enhanced text.
 */
#include "plots/canvas/text.h"
#include "foundation/memory.h"
#include "foundation/utf8.h"
#include "results/export/export.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct shk_phrase shk_phrase(const char *format, ...)
{
  struct shk_phrase words;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words.text, sizeof words.text, format, arguments);
  va_end(arguments);
  return words;
}

/* Typesets "-1.5e-07" or "1.2(4)e-7" with Unicode signs and superscripts, because legends are drawn
 * without enhanced text. */
static struct shk_phrase typeset_text(const char *number)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const char *const e = strchr(number, 'e');
  struct shk_phrase words = shk_phrase("%s", "");
  char power[8];
  for (const char *at = number; *at && at != e; at++)
    if (*at == '-')
      strcat(words.text, "−");
    else
      strncat(words.text, at, 1);
  if (!e)
    return words;
  snprintf(power, sizeof power, "%ld", strtol(e + 1, NULL, 10) % 10000);
  words = strcmp(words.text, "1") == 0 ? shk_phrase("10")
                                       : shk_phrase("%.90s\u00a0×\u00a010", words.text);
  for (const char *at = power; *at; at++)
    strcat(words.text, *at == '-' ? "⁻" : raised[*at - '0']);
  return words;
}

struct shk_phrase shk_phrase_number(double value, int digits)
{
  char text[40];
  return typeset_text(shk_number_text(text, sizeof text, value, digits));
}

struct shk_phrase shk_phrase_rounded(double value, int digits)
{
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, value);
  return typeset_text(text);
}

struct shk_phrase shk_phrase_measured(double value, double half_width)
{
  enum { MOST_DECIMALS = 6 };
  const double size = fmax(fabs(value), half_width);
  if (!(half_width > 0) || !isfinite(size))
    return shk_phrase_number(value, 3);
  const int exponent = (int)floor(log10(size)), last = (int)floor(log10(half_width)),
            power = exponent < -2 || exponent > 3 ? exponent : 0;
  const int decimals = power > last ? (int)fmin(power - last, MOST_DECIMALS) : 0;
  const double unit = pow(10, power - decimals);
  char text[64], times[16] = "";
  if (power != 0)
    snprintf(times, sizeof times, "e%d", power);
  snprintf(text, sizeof text, "%.*f(%.*g)%s", decimals, value / pow(10, power), DBL_DIG,
           ceil(half_width / unit - 1e-9), times);
  return typeset_text(text);
}

char *shk_data_text(const char *text)
{
  char *const result = shk_allocate(strlen(text) + 1, 1), *to = result;
  for (size_t left = strlen(text); left > 0;) {
    unsigned number = 0;
    const size_t length = shk_utf8_character(text, left, &number), read = length > 0 ? length : 1;
    if (length == 0 || number < ' ' || (number >= 0x7f && number < 0xa0))
      *to++ = '?';
    else if (number == '"')
      *to++ = '\'';
    else
      to = (char *)memcpy(to, text, length) + length;
    text += read;
    left -= read;
  }
  return result;
}

static void print_latex(FILE *file, const void *text)
{
  shk_print_latex(file, text);
}

char *shk_latex_text(const char *text)
{
  char *const safe = shk_data_text(text), *const latex = shk_printed_text(print_latex, safe);
  free(safe);
  for (char *at; (at = strstr(latex, "}$$^{"));) /* 10$^{-}$$^{9}$ */
    memmove(at, at + 5, strlen(at + 5) + 1);
  return latex;
}

char *shk_enhanced_text(const char *text)
{
  char *escaped = shk_copy_text("");
  for (; *text; text++)
    shk_append_text(&escaped, "%s%c", strchr("_^@&~{}\\", *text) ? "\\" : "", *text);
  return escaped;
}

void shk_print_both(FILE *file, const char *text)
{
  char *const fields[] = {shk_data_text(text), shk_latex_text(text)};
  for (int i = 0; i < 2; i++) {
    for (const char *at = fields[i]; *at; at++)
      fprintf(file, "%s%c", *at == '\\' ? "\\" : "", *at);
    fputs(i == 0 ? "\t" : "", file);
    free(fields[i]);
  }
}

const char *shk_text_after(const char *text, int count)
{
  for (; *text && count > 0; count--)
    do
      text++;
    while (((unsigned char)*text & 0xc0) == 0x80);
  return text;
}

double shk_text_width(const char *text)
{
  static const char italic[] = "{/:Italic ";
  double width = 0;
  for (; *text; text++) {
    if (strncmp(text, italic, sizeof italic - 1) == 0)
      text += sizeof italic - 2;
    else if (strchr("iljtfrI.,:;'()|! ", *text))
      width += 0.3;
    else if ((*text >= 'A' && *text <= 'Z') || strchr("mw", *text))
      width += 0.72;
    else if (!strchr("{}^_", *text) && ((unsigned char)*text & 0xc0) != 0x80)
      width += 0.56;
  }
  return width;
}

char *shk_text_cut(const char *text, int most)
{
  const int length = shk_print_plain(NULL, text), head = (most - 3) / 2, tail = most - 3 - head;
  return length <= most ? shk_copy_text(text)
                        : shk_print_text("%.*s...%s", (int)(shk_text_after(text, head) - text),
                                         text, shk_text_after(text, length - tail));
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
