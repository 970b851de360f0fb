/*
 * The one place that knows how wide a text is. gnuplot cannot be asked, and which font a program
 * takes for Helvetica depends on the machine: of each character stands here the wider of Helvetica's
 * and DejaVu Sans', in thousandths of the font's size, so that what is laid out by it fits with
 * either, and with those that have the same widths as Helvetica (Arial, Liberation Sans, Nimbus
 * Sans).
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <stdlib.h>
#include <string.h>

static const double point = 2.54 / 72; /* cm */

/* From ' ' to '~'. */
static const unsigned short widths[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667,
    611, 778, 752, 295, 500, 667, 557, 863, 748, 787, 667, 787, 722, 667,  611, 732, 684, 989, 685,
    667, 685, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

/* The length of a UTF-8 character. */
static size_t bytes_of(const char *at)
{
  size_t length = 1;
  while (((unsigned char)at[length] & 0xc0) == 0x80)
    length++;
  return length;
}

static unsigned thousandths(const char *at)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};
  const unsigned char c = (unsigned char)*at;
  if (c >= ' ' && c <= '~')
    return widths[c - ' '];
  for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
    if (strncmp(at, raised[i], strlen(raised[i])) == 0)
      return i < 10 ? 401 : 528;
  return c < 0xce   ? 700   /* Latin letters with marks; ± and × are 838 */
         : c < 0xe0 ? 700   /* Greek, Cyrillic */
                    : 1000; /* signs, and scripts with square characters */
}

static double character(const char *at)
{
  static const char *const wide[] = {"±", "×", "−"};
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (strncmp(at, wide[i], strlen(wide[i])) == 0)
      return 7 * point * 0.838;
  return 7 * point * 1e-3 * thousandths(at);
}

double shk_text_width(const char *text)
{
  double width = 0;
  for (; *text; text += bytes_of(text))
    width += character(text);
  return width;
}

double shk_label_width(const struct shk_label *label)
{
  double width = 0, scale = 1;
  for (const char *at = label->plain; *at;) {
    if (strncmp(at, "{/:Italic ", 10) == 0) {
      at += 10;
    } else if (*at == '^' || *at == '_') {
      scale = 0.8;
      at++;
    } else if (*at == '{' || *at == '}') {
      scale = *at == '}' ? 1 : scale;
      at++;
    } else {
      width += 8.0 / 7 * scale * character(at);
      at += bytes_of(at);
    }
  }
  return width;
}

char *shk_text_cut(const char *text, double width)
{
  if (shk_text_width(text) <= width)
    return shk_copy_text(text);
  const double left = width - shk_text_width("...");
  double used = 0;
  size_t head = 0, tail = strlen(text);
  while (text[head] && used + character(text + head) <= left / 2) {
    used += character(text + head);
    head += bytes_of(text + head);
  }
  for (size_t at = tail; at > head;) {
    do
      at--;
    while (((unsigned char)text[at] & 0xc0) == 0x80);
    used += character(text + at);
    if (used > left)
      break;
    tail = at;
  }
  return shk_print_text("%.*s...%s", (int)head, text, text + tail);
}

size_t shk_text_part(const char *text, double width)
{
  double used = 0;
  size_t end = 0, good = 0;
  while (text[end]) {
    const double more = character(text + end);
    if (used + more > width && end > 0)
      return good > 0 ? good : end;
    used += more;
    end += bytes_of(text + end);
    if (3 * used > width && strchr(",(=- ", text[end - 1]))
      good = end;
  }
  return end;
}
