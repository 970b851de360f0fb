/*
 * Outcome maps: the outcomes of the cells of a singular study (harness/analysis/singular.h), with a
 * row for each method and a column for each step. If the study sweeps a number of the problem,
 * there is a map for each step with a column for each value. Every place has the colour and the
 * letter of its outcome; cells without a record are left empty. The legend has the outcomes that
 * occur and the thresholds.
 */
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/matrix.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outcomes of cells that have one. */
struct map {
  struct shk_index heads; /* of the columns */
  int count;
  struct place {
    int column, method;
    const struct shk_singular_result *result;
  } * places;
};

static const struct shk_singular_result *result_of(const struct shk_drawing *drawing, int cell)
{
  const struct shk_singular_results *const results = &drawing->analysis->singular;
  for (int i = 0; i < results->count; i++)
    if (results->all[i].cell == cell)
      return &results->all[i];
  return NULL;
}

/* Puts the cells of a group in their columns: those of one step under the heading `head` if `step`
 * is given, otherwise each under its step. A number is written as numbers are elsewhere. */
static void place_group(struct map *map, const struct shk_drawing *drawing, int group,
                        const char *precision, const char *step, const char *head)
{
  const struct shk_drawn_cell *cell;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, false, "run", precision));) {
    const char *const its = shk_cell_step(cell->cell, "own"), *const text = head ? head : its;
    const struct shk_singular_result *const result = result_of(drawing, cell->index);
    if (!result || (step && strcmp(its, step) != 0))
      continue;
    char *end;
    const double value = strtod(text, &end);
    const bool is_number = end > text && *end == '\0' && isfinite(value);
    const int column =
        shk_index_number(&map->heads, "%s%s", !head && cell->cell->tolerance ? "tol. " : "",
                         is_number ? shk_phrase_rounded(value, 4).text : text);
    *SHK_APPEND(map->places, map->count) = (struct place){column, cell->method, result};
  }
}

/* The colour of an outcome: a light tint, on which the letter can be read. */
static int colour_of(enum shk_singular_outcome outcome)
{
  static const int colours[SHK_SINGULAR_OUTCOMES] = {0x8cbfdc, 0xedb68c, 0x8cd2be, 0x8c8c8c,
                                                     0xe7c1d8, 0xf3d18c, 0xb3dcf4, 0xc4e3f6};
  return colours[outcome];
}

/* Fills the legend with the outcomes that occur and the thresholds that the study has for them. */
static void fill_legend(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct map *map)
{
  const int run = drawing->plan->cells[map->places[0].result->cell].run;
  const struct shk_singular_limits *const limits = &drawing->study->runs[run].singular;
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++) {
    bool present = false;
    for (int i = 0; i < map->count; i++)
      present = present || (int)map->places[i].result->outcome == f;
    if (present)
      shk_matrix_legend(chart, colour_of((enum shk_singular_outcome)f),
                        shk_singular_word((enum shk_singular_outcome)f));
  }
  shk_chart_note(chart, "right: error of q and p at most %g", limits->error);
  shk_chart_note(chart, "other branch: its functions off by more than %g", limits->branch);
  shk_chart_note(chart, "blew up: beyond %g times the typical size", limits->growth);
}

static bool draw_map(struct shk_drawing *drawing, const struct map *map, struct shk_chart *chart,
                     const char *corner)
{
  const size_t columns = (size_t)map->heads.count, methods = (size_t)drawing->method_count;
  struct shk_place *const places = shk_allocate(columns * methods + 1, sizeof *places);
  const char **const names = shk_allocate(methods + 1, sizeof *names);
  char letters[SHK_SINGULAR_OUTCOMES][2] = {""};
  int rows = 0;
  for (int m = 0; m < drawing->method_count; m++) {
    bool any = false;
    for (int i = 0; i < map->count; i++)
      if (map->places[i].method == m) {
        const enum shk_singular_outcome outcome = map->places[i].result->outcome;
        letters[outcome][0] = shk_singular_letter(outcome);
        places[(size_t)rows * columns + (size_t)map->places[i].column] =
            (struct shk_place){true, colour_of(outcome), letters[outcome]};
        any = true;
      }
    names[rows] = drawing->shown[m];
    rows += any;
  }
  const struct shk_matrix matrix = {
      rows, map->heads.count, places, names, (const char *const *)map->heads.texts, corner};
  shk_matrix_write(drawing, chart, &matrix);
  fill_legend(drawing, chart, map);
  free(names);
  free(places);
  return shk_drawing_draw(drawing, chart);
}

static void clear(struct map *map)
{
  shk_index_clear(&map->heads);
  free(map->places);
}

static bool draw_sweep(struct shk_drawing *drawing, const struct shk_sweep *sweep,
                       const char *precision)
{
  bool ok = true;
  for (int s = 0; ok && s < sweep->step_count; s++) {
    struct map map = {.count = 0};
    struct shk_chart chart;
    for (int i = 0; i < sweep->count; i++)
      place_group(&map, drawing, sweep->values[i].group, precision, sweep->steps[s],
                  sweep->values[i].text);
    if (map.count > 0) {
      shk_sweep_chart(drawing, &chart, "outcome map", sweep, precision, sweep->steps[s]);
      ok = draw_map(drawing, &map, &chart, sweep->option);
    }
    clear(&map);
  }
  return ok;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct map map = {.count = 0};
  struct shk_sweep sweep;
  struct shk_chart chart;
  bool ok = true;
  if (drawing->analysis->singular.count == 0)
    return true;
  if (shk_sweep_gather(&sweep, drawing, group)) {
    ok = sweep.first != group || draw_sweep(drawing, &sweep, precision);
    shk_sweep_clear(&sweep);
    return ok;
  }
  place_group(&map, drawing, group, precision, NULL, NULL);
  if (map.count > 0) {
    shk_drawing_chart(drawing, &chart, group, NULL, precision);
    ok = draw_map(drawing, &map, &chart, "step");
  }
  clear(&map);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_outcome_map = {
    .template = "matrix",
    .shows = "outcomes of a [singular study](../findings/singular.md): method × step, or × the "
             "value of a swept option; colours are those of outcomes",
    .of_precision = draw};
