/* Outcomes of a singular study (harness/analysis/singular.h): a table of letters on colours. */
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct map {
  struct shk_chart chart;
  struct shk_index rows, columns; /* their names, in the order of first appearance */
  bool occurs[SHK_SINGULAR_OUTCOMES];
};

/* Adds the cells of a group: cells of one step under the heading `head` if `step` is given,
 * otherwise each under its step. Numbers are rounded to four digits. */
static void place_group(struct map *map, const struct shk_drawing *drawing, int group,
                        const char *precision, const char *step, const char *head)
{
  const struct shk_singular_results *const results = &drawing->from->analysis->singular;
  const struct shk_drawn_cell *cell;
  if (map->chart.block_count == 0)
    shk_chart_block(&map->chart, "places", "column, row, outcome");
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, "run", precision));) {
    const char *const own_step = shk_cell_step(cell->cell, "own"), *const text =
                                                                       head ? head : own_step;
    char *end;
    const double value = strtod(text, &end);
    const bool is_number = end > text && *end == '\0' && isfinite(value);
    const struct shk_phrase column =
        shk_phrase("%s%.80s", !head && cell->cell->tolerance ? "tol. " : "",
                   is_number ? shk_phrase_rounded(value, 4).text : text);
    for (int i = 0; i < results->count && (!step || strcmp(own_step, step) == 0); i++)
      if (results->all[i].cell == cell->index) {
        const enum shk_singular_outcome outcome = results->all[i].outcome;
        SHK_CHART_ROW(&map->chart, shk_index_text(&map->columns, column.text) + 1,
                      shk_index_text(&map->rows, drawing->shown[cell->method]) + 1, outcome + 1);
        map->occurs[outcome] = true;
      }
  }
}

/* Writes a block of names, cut to a limit; returns the longest length. */
static double write_names(struct shk_chart *chart, const char *what, const struct shk_index *names)
{
  enum { MOST_LETTERS = 40 };
  double longest = 0;
  shk_chart_block(chart, what, "%s: number, name, the same for LaTeX", what);
  for (int i = 0; i < names->count; i++) {
    char *const name = shk_text_cut(names->texts[i], MOST_LETTERS);
    longest = fmax(longest, shk_print_plain(NULL, name));
    shk_chart_text(chart, i + 1, name);
    free(name);
  }
  return longest;
}

/* Draws a map, if it has places, with the outcomes that occur and the study's thresholds, and
 * clears it. corner: the heading above the names of the methods; it says what the columns are. */
static bool draw_map(struct shk_drawing *drawing, struct map *map, int group, const char *corner)
{
  const int cell = drawing->cells[drawing->groups[group].begin].index;
  const struct shk_singular_limits *const limits =
      &drawing->from->study->runs[drawing->from->plan->cells[cell].run].singular;
  struct shk_chart *const chart = &map->chart;
  char letters[2 * SHK_SINGULAR_OUTCOMES + 1] = "";
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++) {
    snprintf(letters + 2 * f, 3, "%c ", shk_singulars[f].letter);
    if (map->occurs[f])
      shk_chart_legend(chart, f + 1, shk_singulars[f].word, "");
  }
  shk_chart_note(chart, "right: error of q and p at most %g", limits->error);
  shk_chart_note(chart, "other branch: its functions off by more than %g", limits->branch);
  shk_chart_note(chart, "blew up: beyond %g times the typical size", limits->growth);
  const double names = fmax(write_names(chart, "rows", &map->rows), shk_print_plain(NULL, corner)),
               heads = write_names(chart, "columns", &map->columns);
  const int columns = map->columns.count;
  shk_chart_block(chart, "corner", "what the columns are");
  shk_chart_text(chart, 0, corner);
  const double needed = 0.14 * (names + fmax(heads + 1, 4) * columns); /* cm */
  shk_drawing_width(drawing, chart, needed < 8.2 ? 1 : needed < 12 ? 2 : 3);
  shk_chart_words(chart, "letters", letters, letters);
  shk_chart_set(chart, "columns", columns);
  shk_chart_set(chart, "lines_of_map", map->rows.count);
  shk_chart_set(chart, "longest", names);
  shk_index_clear(&map->rows);
  shk_index_clear(&map->columns);
  if (columns > 0)
    return shk_drawing_draw(drawing, chart);
  shk_chart_clear(chart);
  return true;
}

/* Draws a map with a row for each method and a column for each step; or, if the study sweeps a
 * number of the problem, a map for each step with a column for each value. */
static bool draw_outcomes(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_sweep sweep;
  bool ok = true;
  if (drawing->from->analysis->singular.count == 0)
    return true;
  if (!shk_sweep_gather(&sweep, drawing, group)) {
    struct map map = {.rows = {0}};
    shk_drawing_chart(drawing, &map.chart, group, false, precision);
    place_group(&map, drawing, group, precision, NULL, NULL);
    return draw_map(drawing, &map, group, "step");
  }
  for (int s = 0; ok && sweep.first == group && s < sweep.steps.count; s++) {
    struct map map = {.rows = {0}};
    shk_sweep_chart(drawing, &map.chart, &sweep, precision, sweep.steps.texts[s]);
    for (int i = 0; i < sweep.count; i++)
      place_group(&map, drawing, sweep.values[i].group, precision, sweep.steps.texts[s],
                  sweep.values[i].text);
    ok = draw_map(drawing, &map, group, sweep.option);
  }
  shk_sweep_clear(&sweep);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_outcome_map = {
    .shows = "outcomes of a [singular study](../findings/singular.md): method × step, or × the "
             "value of a swept option; colours are those of outcomes",
    .draw = draw_outcomes};
