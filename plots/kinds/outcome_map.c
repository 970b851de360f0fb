/*
 * Outcome maps: the outcomes of the cells of a singular study (harness/analysis/singular.h), with a
 * row for each method and a column for each step. If the study sweeps a number of the problem,
 * there is a map for each step with a column for each value. Every place has the colour and the
 * letter of its outcome; cells without a record are left empty. The legend has the outcomes that
 * occur and the thresholds.
 */
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 50 }; /* limit of a name */

/* A column: a heading and, by method, the cell. */
struct column {
  char *text;
  int *cells; /* indices into the plan; -1: none */
};

struct map {
  const struct shk_drawing *drawing;
  const char *precision;
  const char *heading; /* heading of the columns */
  int count;
  struct column *columns;
  int *results; /* by cell of the plan: index into the analysis's results, -1: none */
};

static int *index_results(const struct shk_drawing *drawing)
{
  int *const results = shk_allocate((size_t)drawing->plan->count + 1, sizeof *results);
  for (int i = 0; i < drawing->plan->count; i++)
    results[i] = -1;
  for (int i = 0; i < drawing->analysis->singular.count; i++)
    results[drawing->analysis->singular.all[i].cell] = i;
  return results;
}

/* Formats a heading; a number is written as numbers are elsewhere. */
static char *heading_of(const char *text, const char *before)
{
  char *end;
  const double value = strtod(text, &end);
  const bool is_number = end > text && *end == '\0' && isfinite(value);
  return shk_print_text("%s%s", before, is_number ? shk_label_rounded(value, 4).plain : text);
}

static struct column *column_named(struct map *map, const char *text)
{
  for (int i = 0; i < map->count; i++)
    if (strcmp(map->columns[i].text, text) == 0)
      return &map->columns[i];
  map->columns = shk_grow(map->columns, (size_t)map->count, sizeof *map->columns);
  struct column *const column = &map->columns[map->count++];
  column->text = shk_copy_text(text);
  column->cells = shk_allocate((size_t)map->drawing->method_count + 1, sizeof *column->cells);
  for (int m = 0; m < map->drawing->method_count; m++)
    column->cells[m] = -1;
  return column;
}

/* Puts the cells of a group in their columns: those of one step under the heading `text` if `step`
 * is given, otherwise each under its step. */
static void place_group(struct map *map, int group, const char *step, const char *text)
{
  const struct shk_drawn_group *its = &map->drawing->groups[group];
  for (int i = 0; i < its->cell_count; i++) {
    const struct shk_cell *cell = &map->drawing->plan->cells[its->cells[i]].cell;
    if (map->results[its->cells[i]] < 0 || strcmp(cell->precision, map->precision) != 0 ||
        (step && strcmp(shk_cell_step(cell, "own"), step) != 0))
      continue;
    const int method = shk_drawing_method(map->drawing, cell->integrator);
    char *const head = text
                           ? heading_of(text, "")
                           : heading_of(shk_cell_step(cell, "own"), cell->tolerance ? "tol. " : "");
    column_named(map, head)->cells[method] = its->cells[i];
    free(head);
  }
}

static void clear(struct map *map)
{
  for (int i = 0; i < map->count; i++) {
    free(map->columns[i].text);
    free(map->columns[i].cells);
  }
  free(map->columns);
  map->columns = NULL;
  map->count = 0;
}

static bool has_row(const struct map *map, int method)
{
  for (int i = 0; i < map->count; i++)
    if (map->columns[i].cells[method] >= 0)
      return true;
  return false;
}

static const struct shk_singular_result *decided(const struct map *map, int column, int method)
{
  const int cell = map->columns[column].cells[method];
  return cell < 0 ? NULL : &map->drawing->analysis->singular.all[map->results[cell]];
}

/* ---- drawing ---- */

/* Writes the cells, row by row, and marks the outcomes that occur. Returns the number of rows. */
static int write_cells(const struct map *map, struct shk_chart *chart, bool *present)
{
  int row = 0;
  shk_chart_block(chart, "cells", NULL, "column, row, outcome, error, branch, since");
  for (int m = 0; m < map->drawing->method_count; m++) {
    row += has_row(map, m);
    for (int c = 0; c < map->count; c++) {
      const struct shk_singular_result *const its = decided(map, c, m);
      if (!its)
        continue;
      SHK_CHART_ROW(chart, c + 1, row, its->outcome + 1, its->error, its->branch, its->since);
      present[its->outcome] = true;
    }
  }
  return row;
}

/* Writes names of the rows and of the columns; returns the length of the longest name. */
static int write_names(const struct map *map, struct shk_chart *chart)
{
  int row = 0, longest = shk_text_length(map->heading);
  shk_chart_block(chart, "methods", NULL, "row, row, name, the same for LaTeX");
  for (int m = 0; m < map->drawing->method_count; m++)
    if (has_row(map, m)) {
      char *const name = shk_text_cut(map->drawing->shown[m], MOST_LETTERS);
      const int length = shk_text_length(name);
      row++;
      longest = length > longest ? length : longest;
      shk_chart_text(chart, row, row, name);
      free(name);
    }
  shk_chart_block(chart, "columns", NULL, "column, 0, heading, the same for LaTeX");
  shk_chart_text(chart, 0, 0, map->heading);
  for (int c = 0; c < map->count; c++)
    shk_chart_text(chart, c + 1, 0, map->columns[c].text);
  return longest;
}

/* Notes the thresholds that the study has for the first cell of the map. */
static void note_thresholds(const struct map *map, struct shk_chart *chart)
{
  const struct shk_drawing *const drawing = map->drawing;
  for (int c = 0; c < map->count; c++)
    for (int m = 0; m < drawing->method_count; m++)
      if (map->columns[c].cells[m] >= 0) {
        const int run = drawing->plan->cells[map->columns[c].cells[m]].run;
        const struct shk_singular_limits *const limits = &drawing->study->runs[run].singular;
        shk_chart_note(chart,
                       shk_label_print("right: error of q and p at most %g",
                                       "right: error of $q$ and $p$ at most %g", limits->error));
        shk_chart_note(chart, shk_label_print("other branch: its functions off by more than %g",
                                              "other branch: its functions off by more than %g",
                                              limits->branch));
        shk_chart_note(chart, shk_label_print("blew up: beyond %g times the typical size",
                                              "blew up: beyond %g times the typical size",
                                              limits->growth));
        return;
      }
}

static bool draw_map(struct shk_drawing *drawing, const struct map *map, struct shk_chart *chart)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  bool present[SHK_SINGULAR_OUTCOMES] = {false};
  char letters[SHK_SINGULAR_OUTCOMES + 1] = "";
  int widest = 4;
  const int rows = write_cells(map, chart, present), longest = write_names(map, chart);
  for (int c = 0; c < map->count; c++)
    widest = shk_text_length(map->columns[c].text) > widest ? shk_text_length(map->columns[c].text)
                                                            : widest;
  for (int i = 0; i < 3; i++)
    if (i == 0 || 0.14 * (longest + (widest + 1) * map->count) > widths[i - 1] - 0.8)
      shk_drawing_width(drawing, chart, widths[i]);
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++) {
    letters[f] = shk_singular_letter((enum shk_singular_outcome)f);
    shk_chart_method(chart, f, f);
    if (present[f])
      shk_chart_legend(chart, f + 1, shk_singular_word((enum shk_singular_outcome)f), NULL);
  }
  shk_chart_set(chart, "columns", map->count);
  shk_chart_set(chart, "lines_of_map", rows);
  shk_chart_set(chart, "longest", longest);
  shk_chart_set_label(chart, "letters", shk_label_words(letters));
  note_thresholds(map, chart);
  return shk_drawing_draw(drawing, chart);
}

/* ---- choice of maps ---- */

static bool draw_group(struct shk_drawing *drawing, int group, struct map *map)
{
  map->heading = "step";
  place_group(map, group, NULL, NULL);
  if (map->count == 0)
    return true;
  struct shk_chart chart;
  shk_drawing_chart(drawing, &chart, group, NULL, map->precision);
  return draw_map(drawing, map, &chart);
}

/* Draws a map for one step of a sweep. */
static bool draw_swept(struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                       struct map *map, const char *step)
{
  map->heading = swept->option;
  for (int i = 0; i < swept->count; i++)
    place_group(map, swept->values[i].group, step, swept->values[i].text);
  if (map->count == 0)
    return true;
  struct shk_chart chart;
  char *const text = shk_print_text("%s, %s, %s %s", swept->problem, map->precision,
                                    strcmp(step, "own") == 0 ? "steps of its" : "step", step);
  shk_drawing_chart_of_part(drawing, &chart, "outcome map", text);
  free(text);
  return draw_map(drawing, map, &chart);
}

/* True if no earlier cell of the sweep has the same step. */
static bool is_new_step(const struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                        int value, int cell, const char *step)
{
  for (int v = 0; v <= value; v++) {
    const struct shk_drawn_group *its = &drawing->groups[swept->values[v].group];
    for (int i = 0; i < (v == value ? cell : its->cell_count); i++)
      if (strcmp(shk_cell_step(&drawing->plan->cells[its->cells[i]].cell, "own"), step) == 0)
        return false;
  }
  return true;
}

static bool draw_sweep(struct shk_drawing *drawing, int group, struct map *map)
{
  struct shk_parameter_sweep swept;
  if (!shk_swept_gather(&swept, drawing, group))
    return true;
  bool ok = true;
  for (int v = 0; ok && v < swept.count; v++) {
    const struct shk_drawn_group *its = &drawing->groups[swept.values[v].group];
    for (int i = 0; ok && i < its->cell_count; i++) {
      const char *const step = shk_cell_step(&drawing->plan->cells[its->cells[i]].cell, "own");
      if (!is_new_step(drawing, &swept, v, i, step))
        continue;
      ok = draw_swept(drawing, &swept, map, step);
      clear(map);
    }
  }
  shk_swept_clear(&swept);
  return ok;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct map map = {.drawing = drawing, .precision = precision, .results = index_results(drawing)};
  const bool ok = shk_is_swept(drawing, group) ? draw_sweep(drawing, group, &map)
                                               : draw_group(drawing, group, &map);
  clear(&map);
  free(map.results);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_outcome_map = {
    .shows = "outcomes of a [singular study](../findings/singular.md): method × step, or × the "
             "value of a swept option; colours are those of outcomes",
    .of_precision = draw};
