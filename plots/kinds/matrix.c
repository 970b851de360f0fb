/*
 * Kinds with a table of places, each a short text on a colour: the outcomes of a singular study
 * (harness/analysis/singular.h), and the claims of integrators with their verdicts.
 */
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/singular.h"
#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 40, MOST_HEAD_LETTERS = 28 };

struct matrix {
  int count;
  struct place {
    int row, column, colour; /* rows and columns are numbered in the order of first appearance */
    struct shk_phrase text;
  } * places;
  struct shk_index rows, columns; /* their names; user text */
};

/* Adds a place, if it has not been added; returns it. */
static struct place *place_at(struct matrix *matrix, const char *row, const char *column)
{
  const int r = shk_index_text(&matrix->rows, row), c = shk_index_text(&matrix->columns, column);
  for (int i = 0; i < matrix->count; i++)
    if (matrix->places[i].row == r && matrix->places[i].column == c)
      return &matrix->places[i];
  struct place *const place = SHK_APPEND(matrix->places, matrix->count);
  *place = (struct place){.row = r, .column = c, .colour = -1};
  return place;
}

/* Writes a block of names, cut to a limit; returns the longest length. */
static int write_names(struct shk_chart *chart, const char *what, const struct shk_index *names,
                       int most)
{
  int longest = 0;
  shk_chart_block(chart, what, "%s: number, name, the same for LaTeX", what);
  for (int i = 0; i < names->count; i++) {
    char *const name = shk_text_cut(names->texts[i], most);
    const int length = shk_print_plain(NULL, name);
    longest = length > longest ? length : longest;
    shk_chart_text(chart, i + 1, name);
    free(name);
  }
  return longest;
}

/* Writes and draws the table, and frees it. corner: what the columns are, or "". */
static bool draw_matrix(struct shk_drawing *drawing, struct matrix *matrix, struct shk_chart *chart,
                        const char *corner)
{
  enum { UPRIGHT = 8 }; /* longer heads are turned */
  shk_chart_block(chart, "places", "column, row, colour, text, the same for LaTeX");
  chart->has_rows = matrix->count > 0;
  for (int i = 0; i < matrix->count; i++) {
    const struct place *const place = &matrix->places[i];
    fprintf(chart->data, "%d\t%d\t%d\t", place->column + 1, place->row + 1, place->colour);
    shk_print_both(chart->data, place->text.text);
    putc('\n', chart->data);
  }
  const int names = write_names(chart, "rows", &matrix->rows, MOST_LETTERS),
            heads = write_names(chart, "columns", &matrix->columns, MOST_HEAD_LETTERS);
  shk_chart_block(chart, "corner", "what the columns are");
  shk_chart_text(chart, 0, corner);
  const double column = heads > UPRIGHT ? 0.42 : 0.14 * fmax(heads + 1, 4), /* cm */
      needed = 0.14 * fmax(names, shk_print_plain(NULL, corner)) + column * matrix->columns.count;
  shk_drawing_width(drawing, chart, needed < 8.2 ? 1 : needed < 12 ? 2 : 3);
  shk_chart_set(chart, "columns", matrix->columns.count);
  shk_chart_set(chart, "lines_of_map", matrix->rows.count);
  shk_chart_set(chart, "longest", fmax(names, shk_print_plain(NULL, corner)));
  shk_chart_set(chart, "longest_head", heads);
  shk_chart_set(chart, "turned", heads > UPRIGHT);
  shk_index_clear(&matrix->rows);
  shk_index_clear(&matrix->columns);
  free(matrix->places);
  *matrix = (struct matrix){.count = 0};
  return shk_drawing_draw(drawing, chart);
}

/* Adds a colour to the legend, with its meaning. */
static void explain(struct shk_chart *chart, int colour, const char *meaning)
{
  shk_chart_legend(chart, chart->row_count + 1, meaning, "");
  shk_chart_list(chart, "colours", 0, colour);
}

/* ---- outcomes ---- */

/* Light tints, on which letters can be read. */
static const int colours[SHK_SINGULAR_OUTCOMES] = {0x8cbfdc, 0xedb68c, 0x8cd2be, 0x8c8c8c,
                                                   0xe7c1d8, 0xf3d18c, 0xb3dcf4, 0xc4e3f6};

/* Puts the cells of a group in their columns: those of one step under the heading `head` if `step`
 * is given, otherwise each under its step. A number is written as numbers are elsewhere. */
static void place_group(struct matrix *map, const struct shk_drawing *drawing, int group,
                        const char *precision, const char *step, const char *head)
{
  const struct shk_singular_results *const results = &drawing->from->analysis->singular;
  const struct shk_drawn_cell *cell;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, "run", precision));) {
    const char *const its = shk_cell_step(cell->cell, "own"), *const text = head ? head : its;
    char *end;
    const double value = strtod(text, &end);
    const bool is_number = end > text && *end == '\0' && isfinite(value);
    const struct shk_phrase column =
        shk_phrase("%s%.80s", !head && cell->cell->tolerance ? "tol. " : "",
                   is_number ? shk_phrase_rounded(value, 4).text : text);
    for (int i = 0; i < results->count && (!step || strcmp(its, step) == 0); i++)
      if (results->all[i].cell == cell->index) {
        struct place *const place = place_at(map, drawing->shown[cell->method], column.text);
        place->colour = colours[results->all[i].outcome];
        place->text = shk_phrase("%c", shk_singular_letter(results->all[i].outcome));
      }
  }
}

/* Draws a map, if it has places, with the outcomes that occur and the study's thresholds. */
static bool draw_map(struct shk_drawing *drawing, struct matrix *map, struct shk_chart *chart,
                     int group, const char *corner)
{
  const int cell = drawing->cells[drawing->groups[group].begin].index;
  const struct shk_study_run *const run =
      &drawing->from->study->runs[drawing->from->plan->cells[cell].run];
  for (int f = 0; f < SHK_SINGULAR_OUTCOMES; f++)
    for (int i = 0; i < map->count; i++)
      if (map->places[i].colour == colours[f]) {
        explain(chart, colours[f], shk_singular_word((enum shk_singular_outcome)f));
        break;
      }
  shk_chart_note(chart, "right: error of q and p at most %g", run->singular.error);
  shk_chart_note(chart, "other branch: its functions off by more than %g", run->singular.branch);
  shk_chart_note(chart, "blew up: beyond %g times the typical size", run->singular.growth);
  return draw_matrix(drawing, map, chart, corner);
}

/* A row for each method and a column for each step; or, if the study sweeps a number of the
 * problem, a map for each step with a column for each value. */
static bool draw_outcomes(struct shk_drawing *drawing, int group, const char *precision)
{
  struct matrix map = {.count = 0};
  struct shk_sweep sweep;
  struct shk_chart chart;
  bool ok = true;
  if (drawing->from->analysis->singular.count == 0)
    return true;
  if (!shk_sweep_gather(&sweep, drawing, group)) {
    place_group(&map, drawing, group, precision, NULL, NULL);
    if (map.count == 0)
      return true;
    shk_drawing_chart_of_group(drawing, &chart, group, NULL, precision);
    return draw_map(drawing, &map, &chart, group, "step");
  }
  for (int s = 0; ok && sweep.first == group && s < sweep.steps.count; s++) {
    for (int i = 0; i < sweep.count; i++)
      place_group(&map, drawing, sweep.values[i].group, precision, sweep.steps.texts[s],
                  sweep.values[i].text);
    if (map.count == 0)
      continue;
    shk_sweep_chart(drawing, &chart, "outcome map", &sweep, precision, sweep.steps.texts[s]);
    ok = draw_map(drawing, &map, &chart, group, sweep.option);
  }
  shk_sweep_clear(&sweep);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_outcome_map = {
    .template = "matrix",
    .shows = "outcomes of a [singular study](../findings/singular.md): method × step, or × the "
             "value of a swept option; colours are those of outcomes",
    .draw = draw_outcomes};

/* ---- certificates ---- */

/* Verdicts on a claim, in the order of their precedence. */
static const struct {
  int colour;
  const char *meaning;
} verdicts[] = {{0xffffff, "not measured"},
                {0xe3e3e3, "undecided"},
                {0xa9d1ea, "held on every problem that decided"},
                {0xf0a878, "!: falsified on a problem"}};
enum { NOT_MEASURED, UNDECIDED, HELD, FALSIFIED, VERDICTS };

static int rank_of(enum shk_verdict verdict)
{
  return verdict == SHK_VERDICT_FALSIFIED                                       ? FALSIFIED
         : verdict == SHK_VERDICT_HELD                                          ? HELD
         : verdict == SHK_VERDICT_UNDECIDED || verdict == SHK_VERDICT_NOT_SHOWN ? UNDECIDED
                                                                                : NOT_MEASURED;
}

/* Adds a claim of a method, with the verdict that outranks those on other problems. */
static void add_claim(struct matrix *matrix, const char *method,
                      const struct shk_certificate_row *row)
{
  struct place *const place = place_at(matrix, row->claim, method);
  int rank = rank_of(row->verdict), before = VERDICTS;
  while (before > 0 && (before == VERDICTS || verdicts[before].colour != place->colour))
    before--;
  rank = rank > before ? rank : before;
  place->colour = verdicts[rank].colour;
  place->text = shk_phrase("%s%s",
                           strcmp(row->stated, "yes") == 0  ? "+"
                           : strcmp(row->stated, "no") == 0 ? "−"
                                                            : row->stated,
                           rank == FALSIFIED ? "!" : "");
}

/* A row for each claim and a column for each integrator, as many as a column of a journal takes;
 * the others are in further figures. Nothing if no claim was decided. */
static bool draw_certificates(struct shk_drawing *drawing, int group, const char *precision)
{
  enum { MOST_METHODS = 12 };
  const struct shk_plot_request *const from = drawing->from;
  const struct shk_study_figure *const asked = drawing->asked;
  struct shk_index selected = {0};
  (void)group, (void)precision;
  for (int m = 0; m < drawing->methods.count; m++)
    if (!asked || shk_selects(&asked->integrators, drawing->methods.texts[m]))
      shk_index_text(&selected, drawing->methods.texts[m]);
  struct shk_certificate all = {0};
  shk_certify(&all, (const char *const *)selected.texts, selected.count, from->analysis, from->plan,
              from->records);
  bool decided = false, ok = true;
  for (int i = 0; i < all.count; i++)
    decided = decided ||
              (all.rows[i].about < SHK_CERTIFIED_CLAIMS && rank_of(all.rows[i].verdict) >= HELD);
  const int parts = (selected.count + MOST_METHODS - 1) / MOST_METHODS;
  for (int part = 0; ok && decided && part < parts; part++) {
    struct matrix matrix = {.count = 0};
    struct shk_chart chart;
    for (int i = 0; i < all.count; i++) {
      const struct shk_certificate_row *const row = &all.rows[i];
      const int s = shk_index_find(&selected, row->integrator);
      if (row->about < SHK_CERTIFIED_CLAIMS && row->verdict != SHK_VERDICT_NONE && s >= 0 &&
          s * parts / selected.count == part)
        add_claim(&matrix, drawing->shown[shk_index_find(&drawing->methods, row->integrator)], row);
    }
    shk_drawing_chart(drawing, &chart, parts > 1 ? shk_phrase("%d", part + 1).text : "",
                      drawing->kind, from->study->name);
    for (int v = VERDICTS - 1; v >= 0; v--)
      explain(&chart, verdicts[v].colour, verdicts[v].meaning);
    shk_chart_note(&chart, "+: yes, −: no, a number: the order that is claimed");
    ok = draw_matrix(drawing, &matrix, &chart, "");
  }
  shk_certificate_clear(&all);
  shk_index_clear(&selected);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_certificates = {
    .template = "matrix",
    .shows = "claims and verdicts, a column for each integrator",
    .of_study = true,
    .draw = draw_certificates};
