/*
 * Outcome maps: what became of the cells of a singular study (harness/analysis/singular.h), with a
 * row for each method and a column for each step; or, where the study sweeps a number of the
 * problem, a map for each step with a column for each value. Every place has a colour and the letter
 * of its outcome; cells that were not run are left empty. The key has the outcomes that occur and
 * the thresholds.
 *
 * Places are given in cm: the panel is a grid without axes.
 */
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double row_height = 0.46, narrowest = 0.6, name_gap = 0.25;

/* A column: a heading and, by method, the cell. */
struct column {
  char *text;
  int *cells; /* indices into the plan; -1: none */
};

struct map {
  const struct shk_drawing *drawing;
  const char *precision;
  const char *heading; /* of the columns */
  int count;
  struct column *columns;
  int *results; /* by cell of the plan: index into the analysis's, -1: none */
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

/* A heading that is a number is written as numbers are. */
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

/* Puts the cells of a group in their columns: those of one step where `step` is given, under the
 * heading `text`, otherwise each under its step. */
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

static void write_text(struct shk_figure *figure, double x, double y, const char *text)
{
  fprintf(figure->data, "%.3f\t%.3f\t", x, y);
  shk_print_texts(figure->data, text);
}

/* The widths that the map needs, and the figure's. */
static double measure(const struct map *map, struct shk_figure *figure, double *pitch)
{
  double names = 0;
  *pitch = narrowest;
  for (int m = 0; m < map->drawing->method_count; m++)
    if (has_row(map, m))
      names = fmax(names, shk_text_width(map->drawing->shown[m]));
  for (int i = 0; i < map->count; i++)
    *pitch = fmax(*pitch, shk_text_width(map->columns[i].text) + 0.15);
  const double need = names + name_gap + map->count * *pitch;
  static const double widths[] = {SHK_COLUMN_WIDTH, 12.5, SHK_PAGE_WIDTH};
  for (int i = 0; i < 3; i++) {
    figure->width = widths[i];
    if (need <= shk_panel_width(figure))
      break;
  }
  *pitch = fmin(*pitch, (shk_panel_width(figure) - name_gap) / (map->count + 1));
  return fmin(names, shk_panel_width(figure) - name_gap - map->count * *pitch);
}

/* The cells with this outcome. Returns whether there are any. */
static bool add_outcome(const struct map *map, struct shk_figure *figure, struct shk_panel *panel,
                        enum shk_singular_outcome outcome, double left, double pitch)
{
  int index = -1, row = 0;
  for (int m = 0; m < map->drawing->method_count; m++) {
    if (!has_row(map, m))
      continue;
    row++;
    for (int c = 0; c < map->count; c++) {
      const struct shk_singular_result *const its = decided(map, c, m);
      if (!its || its->outcome != outcome)
        continue;
      if (index < 0)
        index = shk_figure_block(figure, "%s: place, letter, column, row, error, branch, since",
                                 shk_singular_word(outcome));
      fprintf(figure->data, "%.3f\t%d\t%c\t%d\t%d\t", left + (c + 0.5) * pitch, -row,
              shk_singular_letter(outcome), c + 1, row);
      const double numbers[] = {its->error, its->branch, its->since};
      shk_figure_row(figure, numbers, 3);
    }
  }
  if (index < 0)
    return false;
  if (outcome != SHK_OUTCOME_UNDECIDED)
    shk_panel_layer(panel,
                    "index %d using 1:2:(%.3f):(0.44) with boxxyerror linestyle %d "
                    "fillstyle solid 0.45 noborder",
                    index, 0.47 * pitch, outcome + 1);
  shk_panel_layer(panel, "index %d using 1:2:3 with labels center noenhanced font small", index);
  return true;
}

static void add_texts(const struct map *map, struct shk_figure *figure, struct shk_panel *panel,
                      double left, double pitch)
{
  const int names = shk_figure_block(figure, "methods: place, text, the same for LaTeX");
  int row = 0;
  for (int m = 0; m < map->drawing->method_count; m++)
    if (has_row(map, m)) {
      char *const name = shk_text_cut(map->drawing->shown[m], left - name_gap);
      write_text(figure, left - name_gap, -++row, name);
      free(name);
    }
  const int heads = shk_figure_block(figure, "columns: place, text, the same for LaTeX");
  for (int c = 0; c < map->count; c++)
    write_text(figure, left + (c + 0.5) * pitch, 0, map->columns[c].text);
  const int heading = shk_figure_block(figure, "heading of the columns");
  write_text(figure, left - name_gap, 0, map->heading);
  shk_panel_layer(panel, "index %d using 1:2:text with labels right noenhanced font small", names);
  shk_panel_layer(panel, "index %d using 1:2:text with labels center noenhanced font small", heads);
  shk_panel_layer(panel, "index %d using 1:2:text with labels right noenhanced font small",
                  heading);
}

/* The thresholds, as the study states them for the first cell of the map. */
static void say_thresholds(const struct map *map, struct shk_figure *figure)
{
  const struct shk_drawing *const drawing = map->drawing;
  for (int c = 0; c < map->count; c++)
    for (int m = 0; m < drawing->method_count; m++)
      if (map->columns[c].cells[m] >= 0) {
        const int run = drawing->plan->cells[map->columns[c].cells[m]].run;
        const struct shk_singular_limits *const limits = &drawing->study->runs[run].singular;
        const struct {
          const char *words;
          double value;
        } lines[] = {
            {"right: error of q and p at most", limits->error},
            {"other branch: its functions off by more than", limits->branch},
            {"blew up: state or energy error, of what is typical, beyond", limits->growth}};
        for (int i = 0; i < 3; i++) {
          char *const text = shk_print_text("%s %g", lines[i].words, lines[i].value);
          shk_key_note(figure, text);
          free(text);
        }
        return;
      }
}

static bool draw_map(struct shk_drawing *drawing, const struct map *map, struct shk_figure *figure)
{
  const char *words[SHK_SINGULAR_OUTCOMES];
  bool present[SHK_SINGULAR_OUTCOMES] = {false};
  double pitch;
  int rows = 0;
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++)
    words[f] = shk_singular_word((enum shk_singular_outcome)f);
  figure->method_names = words;
  figure->key_names = NULL;
  figure->styles = NULL; /* colours are those of outcomes */
  figure->sized = true;
  figure->method_count = SHK_SINGULAR_OUTCOMES;
  const double left = measure(map, figure, &pitch) + name_gap;
  for (int m = 0; m < drawing->method_count; m++)
    rows += has_row(map, m);
  struct shk_panel *const panel = shk_figure_panel(figure, 0, 0);
  panel->bare = true;
  panel->x = (struct shk_axis){.low = 0, .high = shk_panel_width(figure)};
  panel->y = (struct shk_axis){.low = -rows - 0.5, .high = 0.6}; /* row r is at -r */
  figure->panel_height = (rows + 1.1) * row_height;
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++)
    present[f] = add_outcome(map, figure, panel, (enum shk_singular_outcome)f, left, pitch);
  add_texts(map, figure, panel, left, pitch);
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++)
    if (present[f])
      shk_key_place(figure, f, shk_singular_letter((enum shk_singular_outcome)f),
                    f != SHK_OUTCOME_UNDECIDED, words[f]);
  say_thresholds(map, figure);
  return shk_drawing_finish(drawing, figure);
}

/* ---- which maps there are ---- */

static bool draw_group(struct shk_drawing *drawing, int group, struct map *map)
{
  map->heading = "step";
  place_group(map, group, NULL, NULL);
  if (map->count == 0)
    return true;
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, NULL, map->precision, 1, 1);
  return draw_map(drawing, map, &figure);
}

/* A map for a step of the swept groups. */
static bool draw_swept(struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                       struct map *map, const char *step)
{
  map->heading = swept->option;
  for (int i = 0; i < swept->count; i++)
    place_group(map, swept->values[i].group, step, swept->values[i].text);
  if (map->count == 0)
    return true;
  struct shk_figure figure;
  char *const text = shk_print_text("%s, %s, %s %s", swept->problem, map->precision,
                                    strcmp(step, "own") == 0 ? "steps of its" : "step", step);
  shk_drawing_begin_part(drawing, &figure, "outcome map", text, 1, 1);
  free(text);
  return draw_map(drawing, map, &figure);
}

/* Whether an earlier cell of the swept groups has the same step. */
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
    .shows = "what became of the cells of a [singular study](singular.md): method × step, or × the "
             "value of a swept option of the problem; here colours are those of outcomes",
    .of_precision = draw};
