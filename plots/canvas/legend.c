/*
 * The legend as data, and in words. gnuplot does the layout but breaks no lines: a name longer than
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

/* Returns the first line of a text, of at most `most` characters, and moves the text behind it. The
 * line is broken after one of `,(=-` or a blank unless that would leave two thirds of it empty. */
static char *take_line(const char **text, int most)
{
  const char *const begin = *text;
  const char *end = shk_text_after(begin, most), *good = end;
  if (*end)
    for (const char *at = shk_text_after(begin, most / 3); at < end; at++)
      if (strchr(",(=- ", *at) && strncmp(at + 1, "\u00a0", 2) != 0)
        good = at + 1;
  *text = good;
  return shk_print_text("%.*s", (int)(good - begin), begin);
}

static void add_line(struct shk_chart *chart, int style, const char *text)
{
  shk_chart_block(chart, text, "legend");
  shk_chart_list(chart, "legend", 0, style);
}

static void add_row(struct shk_chart *chart, const struct shk_legend_row *row)
{
  const int label = shk_text_length(row->label);
  const char *rest = row->name;
  int style = row->style;
  for (; *rest && shk_text_length(rest) + (label > 0 ? label + 2 : 0) > LINE; style = 0) {
    char *const line = take_line(&rest, LINE);
    add_line(chart, style, line);
    free(line);
  }
  char *const last = shk_print_text("%s%s%s", rest, *rest && label > 0 ? ": " : "", row->label);
  if (*last || style > 0)
    add_line(chart, style, last);
  free(last);
}

/* Writes the lines of a text as rows; returns their number. */
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

void shk_legend_write(struct shk_chart *chart)
{
  const bool drawn = chart->legend != SHK_KEY_IN_CAPTION;
  shk_chart_block(chart, "texts", "what is drawn, and notes");
  const int lines = write_lines(chart, chart->head);
  int notes = 0;
  for (char *rest = chart->note, *note; (note = strsep(&rest, "\n")) && *note; notes++) {
    shk_chart_text(chart, NAN, note);
    if (rest)
      rest[-1] = '\n'; /* the caption has them, too */
  }
  shk_chart_set(chart, "heads", drawn ? lines : 0);
  shk_chart_set(chart, "notes", drawn ? notes : 0);
  shk_chart_set(chart, "rows", chart->block_count);
  for (int i = 0; drawn && i < chart->row_count; i++)
    add_row(chart, &chart->rows[i]);
  if (!drawn || chart->row_count == 0)
    shk_chart_words(chart, "legend", "", "");
  shk_chart_set(chart, "inside", chart->legend == SHK_KEY_INSIDE);
}

/* ---- the caption of a paper, in words: `\caption{… \protect\input{NAME-caption}}` ---- */

static char *words_of(const struct shk_chart *chart)
{
  char *text = chart->head ? shk_print_text("%s.\n", chart->head) : shk_copy_text("");
  for (int i = 0; i < chart->row_count; i++) {
    const struct shk_legend_row *const row = &chart->rows[i];
    char *const sample = row->style > 0 && row->style <= chart->method_count
                             ? shk_style_words(chart->styles[row->style - 1])
                             : shk_copy_text("no line");
    shk_append_text(&text, "%s (%s)%s%s%s\n", row->name, sample, *row->label ? ": " : "",
                    row->label, i + 1 < chart->row_count ? ";" : ".");
    free(sample);
  }
  shk_append_text(&text, "%s", chart->note ? chart->note : "");
  return text;
}

bool shk_caption_write(const struct shk_chart *chart, const char *directory,
                       struct shk_message *error)
{
  char *const words = words_of(chart), *const latex = shk_latex_text(words);
  char *const names[] = {shk_print_text("%s-caption.txt", chart->name),
                         shk_print_text("%s-caption.tex", chart->name)};
  const bool ok = shk_write_text(directory, names[0], words, strlen(words), error) &&
                  shk_write_text(directory, names[1], latex, strlen(latex), error);
  free(names[1]);
  free(names[0]);
  free(latex);
  free(words);
  return ok;
}
