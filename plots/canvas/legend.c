/*
 * The legend as data, and in words. gnuplot does the layout but breaks no lines: a text longer than
 * a column of a journal continues on the next line, as a row without a sample.
 */
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/styles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters of 7 points in 8.6 cm, beside a sample and without one. */
enum { LINE = 54, HEAD_LINE = 60 };

/* The place behind the last of these characters in a part of a text; NULL if there is none. */
static const char *behind(const char *begin, const char *end, const char *characters)
{
  const char *last = NULL;
  for (const char *at = begin; at < end; at++)
    last = strchr(characters, *at) ? at + 1 : last;
  return last;
}

/* Returns the first line of a text, of at most `most` characters, and moves the text behind it. A
 * line ends at punctuation, or else at a blank, that is not in its first third. */
static char *take_line(const char **text, int most)
{
  const char *const begin = *text, *const end = shk_text_after(begin, most),
                    *const from = shk_text_after(begin, most / 3);
  const char *const mark = *end ? behind(from, end, ",;") : NULL, *const blank =
                                                                      *end && !mark
                                                                          ? behind(from, end, " ")
                                                                          : NULL;
  *text = mark ? mark + (*mark == ' ') : blank ? blank : end;
  return shk_print_text("%.*s", (int)(*text - begin), begin);
}

/* Writes a text as rows of one block; returns their number. */
static int write_lines(struct shk_chart *chart, const char *text)
{
  int lines = 0;
  for (const char *rest = text; rest && *rest; lines++) {
    char *const line = take_line(&rest, HEAD_LINE);
    shk_chart_text(chart, NAN, line);
    free(line);
  }
  return lines;
}

/* Writes a line of the legend as blocks, of which the first has the sample. */
static void write_row(struct shk_chart *chart, const struct shk_legend_row *row)
{
  char *const text =
      shk_print_text("%s%s%s", row->name, *row->name && *row->label ? ": " : "", row->label);
  const char *rest = text;
  for (int style = row->style; *rest; style = 0) {
    char *const line = take_line(&rest, LINE);
    shk_chart_block(chart, line, "legend");
    shk_chart_list(chart, "legend", 0, style);
    free(line);
  }
  free(text);
}

void shk_legend_write(struct shk_chart *chart)
{
  const bool drawn = !chart->captioned;
  shk_chart_block(chart, "texts", "what is drawn, and notes");
  const int heads = write_lines(chart, chart->head), notes = write_lines(chart, chart->note);
  shk_chart_set(chart, "heads", drawn ? heads : 0);
  shk_chart_set(chart, "notes", drawn ? notes : 0);
  shk_chart_set(chart, "rows", chart->block_count);
  for (int i = 0; drawn && i < chart->row_count; i++)
    write_row(chart, &chart->rows[i]);
  if (!drawn || chart->row_count == 0)
    shk_chart_words(chart, "legend", "", "");
}

char *shk_caption(const struct shk_chart *chart)
{
  char *text = chart->head ? shk_print_text("%s. ", chart->head) : shk_copy_text("");
  for (int i = 0; i < chart->row_count; i++) {
    const struct shk_legend_row *const row = &chart->rows[i];
    char *const sample = row->style > 0 && row->style <= chart->method_count
                             ? shk_style_words(chart->styles[row->style - 1])
                             : shk_copy_text("no line");
    shk_append_text(&text, "%s (%s)%s%s%s ", row->name, sample, *row->label ? ": " : "", row->label,
                    i + 1 < chart->row_count ? ";" : ".");
    free(sample);
  }
  shk_append_text(&text, chart->note ? "%s." : "%s", chart->note ? chart->note : "");
  char *const latex = shk_latex_text(text);
  free(text);
  return latex;
}
