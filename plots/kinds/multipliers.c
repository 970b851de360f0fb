/*
 * Multipliers of redundant constraints: the multipliers are not unique, but the constraint force
 * is. A panel for each of the first rows of G has the lambda of every run with that row. Below them
 * is the difference of the constraint force -Gᵀλ from that of the reduced system, which is the
 * first run of the fewest rows: the largest component, relative to the largest of that force along
 * the run. The runs are all of one problem, with any options, and of one precision; a method on
 * two systems is two curves.
 *
 * Forces are compared at the same sample times. A difference of zero is drawn at the least
 * difference that is not zero, since the axis is logarithmic.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4 };

struct run {
  const struct shk_record *record;
  int method, group, rows; /* rows: length of lambda */
};

struct set {
  int count, shown; /* shown: rows of lambda that have a panel */
  struct run *runs;
  const struct shk_record *reduced;
  double force; /* largest force of the reduced system */
  bool one_system, any_finished;
  double low[MOST_ROWS + 1], high[MOST_ROWS + 1];
};

static int length_of(const struct shk_sample *sample, const char *block)
{
  const struct shk_vector *const vector = sample ? shk_sample_block(sample, block) : NULL;
  return vector ? vector->count : 0;
}

static int rows_of(const struct shk_record *run)
{
  int rows = 0;
  for (int i = 0; i < run->outcome.sample_count && rows == 0; i++)
    rows = length_of(&run->outcome.samples[i], "lambda");
  return rows;
}

/* Largest difference of the forces of two samples; `b` NULL: largest force of one. NaN if one is
 * missing. */
static double distance(const struct shk_sample *a, const struct shk_sample *b)
{
  const struct shk_vector *const x = shk_sample_block(a, "force"), *const y = b ? shk_sample_block(
                                                                                      b, "force")
                                                                                : NULL;
  double worst = NAN;
  for (int i = 0; x && (!b || (y && y->count == x->count)) && i < x->count; i++)
    worst = fmax(worst, fabs(shk_vector_double(x, i) - (y ? shk_vector_double(y, i) : 0)));
  return worst;
}

/* ---- choice of runs ---- */

/* Adds the runs of a group. The reduced system is the first of the fewest rows. */
static void add_runs(struct set *set, const struct shk_drawing *drawing, int group,
                     const char *precision)
{
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  for (int m = 0; m < drawing->method_count; m++) {
    const int rows = runs.of[m] ? rows_of(runs.of[m]) : 0;
    if (rows == 0)
      continue;
    *SHK_APPEND(set->runs, set->count) = (struct run){runs.of[m], m, group, rows};
    set->shown = rows > set->shown ? rows : set->shown;
    set->one_system = set->one_system && set->runs[0].group == group;
    set->any_finished = set->any_finished || shk_record_finished(runs.of[m]);
    if (!set->reduced || rows < rows_of(set->reduced))
      set->reduced = runs.of[m];
  }
  free(runs.of);
}

/* ---- drawing ---- */

/* Writes time, the first rows of lambda and the relative difference of the force; returns the
 * largest of those. */
static double write_run(struct shk_chart *chart, struct set *set, const struct run *its,
                        const char *name)
{
  const struct shk_outcome *const outcome = &its->record->outcome;
  const bool seen = !set->any_finished || shk_record_finished(its->record); /* may have exploded */
  double worst = 0;
  shk_chart_block(chart, name, "time, lambda 1 … %d, distance of -G^T lambda; %s", set->shown,
                  shk_record_status(its->record));
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_sample *const sample = &outcome->samples[i], *const other = shk_outcome_sample(
                                                                      &set->reduced->outcome,
                                                                      sample->time);
    double row[MOST_ROWS + 2] = {sample->t};
    for (int j = 0; j < set->shown; j++)
      row[j + 1] = j < length_of(sample, "lambda")
                       ? shk_vector_double(shk_sample_block(sample, "lambda"), j)
                       : (double)NAN;
    double *const apart = &row[set->shown + 1];
    *apart = its->record != set->reduced && other ? distance(sample, other) / set->force : NAN;
    worst = fmax(worst, *apart);
    shk_chart_row(chart, row, set->shown + 2);
    for (int j = 0; seen && j <= set->shown; j++)
      if (j < set->shown || *apart > 0) {
        set->low[j] = fmin(set->low[j], row[j + 1]);
        set->high[j] = fmax(set->high[j], row[j + 1]);
      }
  }
  return worst;
}

static void set_ranges(struct shk_chart *chart, const struct set *set)
{
  for (int j = 0; j <= set->shown; j++) {
    const double low = set->low[j], high = set->high[j];
    const double room = high > low ? 0.08 * (high - low) : fmax(1e-3, fabs(high));
    const bool last = j == set->shown, any = high > 0;
    shk_chart_list(chart, "range", j + 1, !last ? low - room : any ? low / 3 : 1e-17);
    shk_chart_list(chart, "range", j + 1, !last ? high + room : any ? high * 3 : 1e-15);
  }
}

static bool draw_set(struct shk_drawing *drawing, struct set *set, int group, const char *precision)
{
  const struct shk_drawn_group *const its = &drawing->groups[group];
  char *const text =
      set->one_system
          ? shk_print_text("%s, %s", drawing->groups[set->runs[0].group].shown, precision)
          : shk_print_text("%.*s, %s", (int)strcspn(its->problem, "( "), its->problem, precision);
  struct shk_chart chart;
  double until = 0;
  shk_drawing_chart_of_part(drawing, &chart, "multipliers", text);
  free(text);
  for (int i = 0; i < set->count; i++) {
    const struct run *const run = &set->runs[i];
    const char *const method = drawing->shown[run->method];
    char *const name = set->one_system
                           ? shk_copy_text(method)
                           : shk_print_text("%s, %s", method, drawing->groups[run->group].shown);
    shk_chart_method(&chart, run->method, set->one_system ? drawing->styles[run->method] : i);
    const struct shk_phrase worst = shk_phrase_number(write_run(&chart, set, run, name), 2);
    shk_chart_legend(&chart, i + 1, name,
                     run->record == set->reduced ? "compared with"
                                                 : shk_phrase("max apart %s", worst.text).text);
    until = fmax(until, run->record->outcome.reached);
    free(name);
  }
  set_ranges(&chart, set);
  shk_chart_set(&chart, "panels", set->shown);
  shk_chart_set(&chart, "until", until);
  shk_chart_words(&chart, "unit", its->unit, its->unit);
  return shk_drawing_draw(drawing, &chart);
}

/* Draws the runs of a group and of the later groups of the same problem; nothing if an earlier
 * group has that problem. */
static bool draw(struct shk_drawing *drawing, int first, const char *precision)
{
  if (!shk_drawing_is_first(drawing, first))
    return true;
  struct set set = {.one_system = true};
  for (int g = first; g < drawing->group_count; g++)
    if (drawing->groups[g].used &&
        shk_same_problem(drawing->groups[g].problem, drawing->groups[first].problem))
      add_runs(&set, drawing, g, precision);
  for (int i = 0; set.reduced && i < set.reduced->outcome.sample_count; i++)
    set.force = fmax(set.force, distance(&set.reduced->outcome.samples[i], NULL));
  for (int j = 0; j <= MOST_ROWS; j++) {
    set.low[j] = INFINITY;
    set.high[j] = -INFINITY;
  }
  set.shown = set.shown < MOST_ROWS ? set.shown : MOST_ROWS;
  const bool ok = set.count < 2 || !(set.force > 0) || draw_set(drawing, &set, first, precision);
  free(set.runs);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_multipliers = {
    .shows = "each λ of redundant constraints by strategy, beside the system without redundant "
             "rows, and the differences of Gᵀλ; problems of one name together",
    .only_by_name = true,
    .of_precision = draw};
