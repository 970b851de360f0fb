/*
 * The legend as data. gnuplot does the layout but breaks no lines: a name longer than a column of a
 * journal continues on the next line, as a row without a sample.
 */
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/styles.h"
#include <stdlib.h>
#include <string.h>

enum {
  LINE = 54,
  HEAD_LINE = 60
}; /* characters of 7 points in 8.6 cm, with a sample and without */

/* Number of bytes of the first line, which has at most `most` characters. The line is broken after
 * one of `,(=-` or a blank unless that would leave two thirds of it empty. */
static size_t part_of(const char *text, int most)
{
  static const char nbsp[] = "\u00a0";
  int characters = 0;
  size_t end = 0, good = 0;
  while (text[end] && characters < most) {
    do
      end++;
    while (((unsigned char)text[end] & 0xc0) == 0x80);
    characters++;
    if (3 * characters > most && strchr(",(=- ", text[end - 1]) && text[end] != nbsp[0])
      good = end;
  }
  return text[end] && good > 0 ? good : end;
}

/* Writes a line of the legend: a name, a fixed text, or both. */
static void add_line(struct shk_chart *chart, char **styles, int style, const char *name,
                     const struct shk_label *label)
{
  const char *const between = *name && label->plain[0] ? ": " : "";
  char *const safe = shk_data_text(name), *const latex = shk_latex_text(safe);
  fprintf(chart->data, "%s# [%d] legend\n", chart->block_count > 0 ? "\n\n" : "\n",
          chart->block_count);
  shk_print_field(chart->data, safe);
  fprintf(chart->data, "%s%s\t", between, label->plain);
  shk_print_field(chart->data, latex);
  fputs(between, chart->data);
  shk_print_field(chart->data, label->latex);
  fputs("\nNaN\tNaN\n", chart->data);
  chart->block_count++;
  shk_list_add(styles, style);
  free(latex);
  free(safe);
}

static void add_row(struct shk_chart *chart, char **styles, const struct shk_legend_row *row)
{
  static const struct shk_label none = {"", ""};
  const int label = shk_text_length(row->label.plain);
  const char *rest = row->name;
  int style = row->style;
  while (*rest && shk_text_length(rest) + (label > 0 ? label + 2 : 0) > LINE) {
    const size_t length = part_of(rest, LINE);
    char *const part = shk_print_text("%.*s", (int)length, rest);
    add_line(chart, styles, style, part, &none);
    free(part);
    rest += length;
    style = 0;
  }
  if (*rest || label > 0 || style > 0)
    add_line(chart, styles, style, rest, &row->label);
}

/* Writes a block with the head and the notes, a row for each line; returns the number of lines of
 * the head. */
static int write_texts(struct shk_chart *chart)
{
  int lines = 0;
  char *const safe = shk_data_text(chart->head ? chart->head : "");
  fprintf(chart->data, "\n\n# [%d] what is drawn, and notes\n", chart->block_count++);
  for (const char *rest = safe; *rest; lines++) {
    const size_t length = part_of(rest, HEAD_LINE);
    char *const part = shk_print_text("%.*s", (int)length, rest);
    shk_print_both(chart->data, part);
    putc('\n', chart->data);
    free(part);
    rest += length;
  }
  for (int i = 0; i < chart->note_count; i++) {
    fprintf(chart->data, "%s\t", chart->notes[i].plain);
    shk_print_field(chart->data, chart->notes[i].latex);
    putc('\n', chart->data);
  }
  free(safe);
  return lines;
}

void shk_legend_write(struct shk_chart *chart)
{
  const bool drawn = chart->legend != SHK_KEY_IN_CAPTION;
  char *styles = NULL;
  shk_chart_set(chart, "texts", chart->block_count);
  const int lines = write_texts(chart);
  shk_chart_set(chart, "heads", drawn ? lines : 0);
  shk_chart_set(chart, "notes", drawn ? chart->note_count : 0);
  shk_chart_set(chart, "rows", chart->block_count);
  for (int i = 0; drawn && i < chart->row_count; i++)
    add_row(chart, &styles, &chart->rows[i]);
  shk_chart_set_list(chart, "legend", styles);
  shk_chart_set(chart, "inside", chart->legend == SHK_KEY_INSIDE);
}

/* ---- the caption of a paper, in words: `\caption{… \protect\input{NAME-caption}}` ---- */

static char *words_of(const struct shk_chart *chart, bool latex)
{
  char *text = NULL;
  char *const head =
      chart->head && latex ? shk_latex_text(chart->head) : shk_copy_text(chart->head);
  if (head)
    shk_append_text(&text, "%s.\n", head);
  for (int i = 0; i < chart->row_count; i++) {
    const struct shk_legend_row *const row = &chart->rows[i];
    const char *const label = latex ? row->label.latex : row->label.plain;
    char *const name = latex ? shk_latex_text(row->name) : shk_copy_text(row->name);
    char *const sample =
        row->style > 0 ? shk_style_words(chart->styles[row->style - 1]) : shk_copy_text("no line");
    shk_append_text(&text, "%s (%s)%s%s%s\n", name, sample, *label ? ": " : "", label,
                    i + 1 < chart->row_count ? ";" : ".");
    free(sample);
    free(name);
  }
  for (int i = 0; i < chart->note_count; i++)
    shk_append_text(&text, "%s.\n", latex ? chart->notes[i].latex : chart->notes[i].plain);
  free(head);
  return text ? text : shk_copy_text("");
}

bool shk_caption_write(const struct shk_chart *chart, const char *directory,
                       struct shk_message *error)
{
  bool ok = true;
  for (int latex = 0; ok && latex < 2; latex++) {
    char *const text = words_of(chart, latex);
    char *const name = shk_print_text("%s-caption.%s", chart->name, latex ? "tex" : "txt");
    ok = shk_write_text(directory, name, text, strlen(text), error);
    free(name);
    free(text);
  }
  return ok;
}
