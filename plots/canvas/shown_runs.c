/* Selects the run that a figure of quantities along a run shows for each method. See
 * shown_runs.h. */
#include "plots/canvas/shown_runs.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct shk_series *shk_drawn_series(const struct shk_record *record, enum shk_series_id id)
{
  const struct shk_series *series = record ? shk_recorded_series(&record->outcome, id) : NULL;
  return series && series->count > 0 ? series : NULL;
}

const struct shk_drift *shk_drawn_drift(const struct shk_drawing *drawing,
                                        const struct shk_record *record)
{
  for (int i = 0; record && i < drawing->from->analysis->drift_count; i++)
    if (drawing->from->analysis->drifts[i].record == record)
      return &drawing->from->analysis->drifts[i].drift;
  return NULL;
}

bool shk_is_rounding(const struct shk_outcome *outcome, bool hidden)
{
  const double size = shk_recorded(
                   outcome, hidden ? SHK_QUANTITY_HIDDEN_MAX : SHK_QUANTITY_CONSTRAINT_MAX, NULL),
               floor = shk_recorded(
                   outcome, hidden ? SHK_QUANTITY_HIDDEN_FLOOR : SHK_QUANTITY_CONSTRAINT_FLOOR,
                   NULL);
  return size <= 4 * floor;
}

const struct shk_record *shk_numbered_run(const struct shk_drawing *drawing,
                                          struct shk_chart *chart, const struct shk_runs *runs)
{
  enum { MOST = 12 };
  int m = 0;
  while (m < drawing->methods.count && !shk_drawn_series(runs->of[m], SHK_SERIES_CROSSING))
    m++;
  if (m == drawing->methods.count ||
      shk_drawn_series(runs->of[m], SHK_SERIES_CROSSING)->count > MOST)
    return NULL;
  if (runs->count > 1)
    shk_chart_note(chart, "The numbered crossings are those of %s", drawing->shown[m]);
  return runs->of[m];
}

/* ---- parts of records ---- */

void shk_drawing_put_back(struct shk_drawing *drawing)
{
  struct shk_records *const parts = drawing->from->parts;
  for (int i = 0; i < drawing->taken_count; i++)
    parts->put_back(parts, drawing->taken[i]);
  for (int i = 0; i < drawing->list_count; i++)
    free(drawing->lists[i]);
  free(drawing->lists);
  free(drawing->taken);
  drawing->lists = NULL;
  drawing->taken = NULL;
  drawing->list_count = drawing->taken_count = 0;
}

static void take_shown_runs(struct shk_drawing *drawing, int index)
{
  struct shk_records *const parts = drawing->from->parts;
  if (!parts)
    return;
  parts->take(parts, index, SHK_PART_ALL);
  *SHK_APPEND(drawing->taken, drawing->taken_count) = index;
}

static bool has_data(const struct shk_drawing *drawing, const struct shk_drawn_cell *cell,
                     enum shk_series_id series)
{
  struct shk_records *const parts = drawing->from->parts;
  if (parts)
    parts->take(parts, cell->index, SHK_PART_ALL);
  const bool has = series == SHK_NO_SERIES ? cell->record->outcome.sample_count > 0
                                           : shk_drawn_series(cell->record, series) != NULL;
  if (parts)
    parts->put_back(parts, cell->index);
  return has;
}

/* ---- the choice of runs ---- */

/* Returns the number of times that steps[of] occurs in the list, or 0 if an earlier entry is equal
 * to it. */
static int occurrences_of_step(const double *steps, int count, int of)
{
  int same = 0;
  for (int i = 0; i < count; i++)
    if (steps[i] == steps[of] && ++same && i < of)
      return 0;
  return same;
}

/* Returns the most common step size, or 0 if the list is empty. If several are equally common, the
 * middle one is returned. The list is in plan order, in which each method's step sizes are
 * sorted. */
static double common_step(const double *steps, int count)
{
  int most = 0, ties = 0, i = 0;
  for (int k = 0; k < count; k++) {
    const int same = occurrences_of_step(steps, count, k);
    ties = same > most ? 1 : ties + (same == most);
    most = same > most ? same : most;
  }
  for (int skip = (ties - 1) / 2; i < count; i++)
    if (occurrences_of_step(steps, count, i) == most && skip-- == 0)
      break;
  return i < count ? steps[i] : 0;
}

/* Returns the tolerance of a cell or, if it has none, the distance of its step size from the given
 * one. The cell with the smallest value is preferred. */
static double distance_of_step(const struct shk_cell *cell, double step)
{
  if (cell->tolerance)
    return cell->numbers.tolerance;
  return cell->step ? fabs(log(cell->numbers.step / step)) : 0;
}

static bool same_step(const struct shk_cell *a, const struct shk_cell *b)
{
  return strcmp(shk_cell_step(a, ""), shk_cell_step(b, "")) == 0 && !a->tolerance == !b->tolerance;
}

struct shk_runs shk_drawing_runs(struct shk_drawing *drawing, int group, const char *precision,
                                 enum shk_series_id series)
{
  const size_t methods = (size_t)drawing->methods.count;
  struct shk_runs runs = {.same_step = true, .of = shk_allocate(methods + 1, sizeof *runs.of)};
  const bool along_paths = series != SHK_NO_SERIES && shk_series_entries[series].in == SHK_IN_PATHS;
  /* name of a kind of run that also records states */
  const char *const path = shk_measures[SHK_MEASURE_REGULARITY].name;
  const char *const kinds[] = {along_paths ? path : "run", series == SHK_NO_SERIES ? path : NULL,
                               NULL};
  const struct shk_drawn_cell *cell, **found = NULL,
                                     **best = shk_allocate(methods + 1, sizeof *best);
  double *steps = NULL;
  int found_count = 0, step_count = 0;
  *SHK_APPEND(drawing->lists, drawing->list_count) = runs.of;
  for (int k = 0; kinds[k] && found_count == 0; k++)
    for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, kinds[k], precision));)
      if (cell->record && has_data(drawing, cell, series)) {
        *SHK_APPEND(found, found_count) = cell;
        if (cell->cell->step && !cell->cell->tolerance)
          *SHK_APPEND(steps, step_count) = cell->cell->numbers.step;
      }
  const double step = common_step(steps, step_count);
  for (int i = 0; i < found_count; i++) {
    const struct shk_drawn_cell **const best_cell = &best[found[i]->method];
    if (!*best_cell ||
        distance_of_step(found[i]->cell, step) < distance_of_step((*best_cell)->cell, step))
      *best_cell = found[i];
  }
  const struct shk_cell *first = NULL;
  for (size_t m = 0; m < methods; m++)
    if (best[m]) {
      take_shown_runs(drawing, best[m]->index);
      runs.of[m] = best[m]->record;
      runs.count++;
      runs.any_finished = runs.any_finished || shk_record_finished(best[m]->record);
      first = first ? first : best[m]->cell;
      runs.same_step = runs.same_step && same_step(first, best[m]->cell);
    }
  free(best);
  free(steps);
  free(found);
  return runs;
}

/* ---- names ---- */

/* Formats a step size as "h = 0.1" or a tolerance as "tol. 10⁻⁶". Returns an empty phrase if the
 * cell has neither. */
static struct shk_phrase step_words(const struct shk_cell *cell)
{
  enum { DIGITS = 4 };
  if (!cell->tolerance && !cell->step)
    return shk_phrase("%s", "");
  const double value = cell->tolerance ? cell->numbers.tolerance : cell->numbers.step;
  return shk_phrase("%s%s", cell->tolerance ? "tol. " : "h\u00a0=\u00a0",
                    shk_phrase_rounded(value, DIGITS).text);
}

bool shk_chart_runs(struct shk_drawing *drawing, struct shk_chart *chart, struct shk_runs *runs,
                    int group, const char *precision, enum shk_series_id series,
                    shk_run_words *words)
{
  *runs = shk_drawing_runs(drawing, group, precision, series);
  if (runs->count == 0)
    return false;
  for (int m = 0, count = 0; m < drawing->methods.count && drawing->most_runs > 0; m++)
    if (runs->of[m] && ++count > drawing->most_runs)
      runs->of[m] = NULL;
  double until = 0;
  const struct shk_record *any = NULL;
  const char *const shown = drawing->groups[group].shown;
  struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_record *const run = runs->of[m];
    if (!run)
      continue;
    const bool finished = shk_record_finished(run);
    const struct shk_phrase own = words && finished ? words(drawing, run) : shk_phrase("%s", "");
    any = run;
    until = fmax(until, run->outcome.reached);
    panel->exits += !finished;
    shk_drawing_add(drawing, chart, m, own.text[0] ? shk_phrase(", %.150s", own.text).text : "");
    shk_chart_list(chart, "exits", finished ? NAN : run->outcome.reached);
    if (!runs->same_step && step_words(&run->cell).text[0])
      shk_chart_note(chart, "%s uses %s on %s", drawing->shown[m], step_words(&run->cell).text,
                     shown);
    if (!finished)
      shk_chart_note(chart, "%s stopped at t = %.3g on %s: %s", drawing->shown[m],
                     run->outcome.reached, shown, shk_record_status(run));
  }
  shk_chart_set(chart, "until", until);
  if (runs->same_step && step_words(&any->cell).text[0])
    shk_chart_note(chart, "Runs of %s have %s and end at t = %.4g", shown,
                   step_words(&any->cell).text, until);
  if (runs->same_step && any->cell.step && !any->cell.tolerance)
    shk_chart_in_step(chart, any->cell.numbers.step, drawing->groups[group].si ? " s" : "");
  const bool log = drawing->asked && drawing->asked->time == SHK_SCALE_LOGARITHMIC;
  /* a logarithmic axis begins at the first point rather than at 0 */
  if (!panel->x.fixed || (log && !(panel->x.from > 0)))
    panel->x = (struct shk_axis){.from = log ? (double)NAN : 0,
                                 .to = panel->x.fixed ? panel->x.to : until};
  panel->x.log = log;
  shk_chart_time(chart, &drawing->groups[group]);
  return true;
}

void shk_chart_run_block(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *run, const char *columns)
{
  const struct shk_cell *const cell = &run->cell;
  const int method = shk_index_find(&drawing->methods, cell->integrator);
  shk_chart_block(chart, drawing->shown[method], "%s, %s, %s %s, %s: %s", cell->problem,
                  cell->integrator, cell->tolerance ? "tolerance" : "step",
                  shk_cell_step(cell, "of its own"), shk_record_status(run), columns);
}
