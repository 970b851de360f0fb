/* Draws the outcomes of a singular study (harness/analysis/singular.h) as a table of letters on
 * coloured squares. */
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
  struct shk_chart *chart;
  bool occurs[SHK_SINGULAR_OUTCOMES];
  struct shk_index rows, columns; /* the names of rows and columns, in order of first appearance */
};

/* Adds the cells of a group. If `step` is not NULL, only cells with that step are added, in the
 * column `head`. Otherwise, each cell is placed in the column of its step. Numbers in column
 * headings are rounded to four digits. */
static void place_group(struct map *map, const struct shk_drawing *drawing, int group,
                        const char *precision, const char *step, const char *head)
{
  const struct shk_singular_results *const results = &drawing->from->analysis->singular;
  const struct shk_drawn_cell *cell;
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
        SHK_CHART_ROW(map->chart, shk_index_text(&map->columns, column.text) + 1,
                      shk_index_text(&map->rows, drawing->shown[cell->method]) + 1, outcome + 1);
        map->occurs[outcome] = true;
      }
  }
}

/* Writes a data block with names, which are shortened if necessary. Returns the length of the
 * longest name. */
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

/* Completes a map by adding the outcomes that occur and the study's thresholds. `corner` is the
 * heading in the upper left corner, which names the quantity in the columns. */
static void finish_map(const struct shk_drawing *drawing, struct map *map, int group,
                       const char *corner)
{
  static const char *const tints[] = {"#8cbfdc", "#edb68c", "#8cd2be", "#8c8c8c",
                                      "#e7c1d8", "#f3d18c", "#b3dcf4", "#c4e3f6"};
  const int cell = drawing->cells[drawing->groups[group].begin].index;
  const struct shk_singular_limits *const limits =
      &drawing->from->study->runs[drawing->from->plan->cells[cell].run].singular;
  struct shk_chart *const chart = map->chart;
  struct shk_panel *const panel = &chart->panels[chart->panel_count - 1];
  char letters[2 * SHK_SINGULAR_OUTCOMES + 1] = "";
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++) {
    struct shk_look look = {.mark = "square", .line = "solid", .size = 3};
    snprintf(letters + 2 * f, 3, "%c ", shk_singulars[f].letter);
    snprintf(look.colour, sizeof look.colour, "%s", tints[f]);
    if (!map->occurs[f])
      continue;
    shk_chart_list(chart, "outcomes", f + 1);
    shk_chart_method(chart, f, shk_singulars[f].word, &look, "");
  }
  shk_chart_note(chart, "Right: the errors in q and p are at most %g", limits->error);
  shk_chart_note(chart, "Other branch: the branch functions are off by more than %g",
                 limits->branch);
  shk_chart_note(chart, "Blew up: the state exceeds %g times its typical size", limits->growth);
  const double names = fmax(write_names(chart, "rows", &map->rows), shk_print_plain(NULL, corner)),
               heads = write_names(chart, "columns", &map->columns);
  const int columns = map->columns.count, rows = map->rows.count;
  shk_chart_block(chart, "corner", "what the columns are");
  shk_chart_text(chart, 0, corner);
  const double place = fmin(fmax(0.13 * (heads + 1), 0.55), 1.8); /* cm */
  chart->left = fmin(0.13 * names + 0.3, 5.5);
  chart->top = 1;
  chart->tall = 0.36 * rows;
  chart->needed = chart->left + place * columns + 0.25;
  chart->sample = "points";
  chart->legend = SHK_LEGEND_BELOW;
  panel->x = (struct shk_axis){.fixed = true, .from = 0.5, .to = columns + 0.5};
  panel->y = (struct shk_axis){.fixed = true, .from = rows + 0.5, .to = 0.5};
  shk_chart_words(chart, "letters", letters, letters);
  shk_chart_set(chart, "columns", columns);
  shk_chart_set(chart, "rows", rows);
}

/* Draws a map with one row per method and one column per step size. If the study varies one of the
 * problem's numbers, draws one map per step size instead, with one column per value. */
static bool draw_outcomes(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                          const char *precision, const char *part)
{
  struct shk_sweep sweep;
  struct map map = {.chart = chart};
  (void)part;
  if (drawing->from->analysis->singular.count == 0)
    return true;
  const bool swept = shk_sweep_gather(&sweep, drawing, group);
  if (swept && sweep.first != group) {
    shk_sweep_clear(&sweep);
    return true;
  }
  const struct shk_singular_results *const results = &drawing->from->analysis->singular;
  const char *const step = swept ? shk_sweep_vary(drawing, &sweep) : NULL;
  bool any = false;
  for (int i = 0; i < results->count; i++)
    for (int k = 0; k < drawing->cell_count && !any; k++) {
      const struct shk_drawn_cell *const cell = &drawing->cells[k];
      bool here = !swept && cell->group == group;
      for (int v = 0; swept && v < sweep.count; v++)
        here = here || cell->group == sweep.values[v].group;
      any = here && cell->index == results->all[i].cell &&
            strcmp(cell->cell->precision, precision) == 0 &&
            (!step || strcmp(shk_cell_step(cell->cell, "own"), step) == 0);
    }
  if (any) {
    shk_drawing_panel(drawing, chart, group);
    shk_chart_block(chart, "places", "column, row, outcome");
    for (int i = 0; i < (swept ? sweep.count : 1); i++)
      place_group(&map, drawing, swept ? sweep.values[i].group : group, precision, step,
                  swept ? sweep.values[i].text : NULL);
    finish_map(drawing, &map, group, swept ? sweep.option : "step");
    if (swept)
      shk_chart_note(chart, "%s", drawing->suffix.text);
  }
  shk_index_clear(&map.rows);
  shk_index_clear(&map.columns);
  if (swept)
    shk_sweep_clear(&sweep);
  return true;
}

const struct shk_figure_kind shk_figure_kind_outcome_map = {.title = "Outcomes",
                                                            .draw = draw_outcomes};
