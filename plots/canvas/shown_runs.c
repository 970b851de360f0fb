/* The run of each method that a figure along the run shows. See shown_runs.h. */
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
  for (int i = 0; record && i < drawing->analysis->drift_count; i++)
    if (drawing->analysis->drifts[i].record == record)
      return &drawing->analysis->drifts[i].drift;
  return NULL;
}

/* The kind of cells that have this series. */
static const char *kind_of(enum shk_series_id series)
{
  const bool along_paths = series != SHK_NO_SERIES && shk_series_entries[series].in == SHK_IN_PATHS;
  return along_paths ? shk_measures[SHK_MEASURE_REGULARITY].name : "run";
}

/* True if a cell of a group has this precision and this series. */
static bool belongs(const struct shk_drawing *drawing, int index, const char *precision,
                    enum shk_series_id series)
{
  const struct shk_cell *const cell = &drawing->plan->cells[index].cell;
  const struct shk_record *const record = drawing->records[index];
  const bool samples = series == SHK_NO_SERIES;
  if (strcmp(cell->precision, precision) != 0 || strcmp(cell->kind, kind_of(series)) != 0 ||
      !record)
    return false;
  if (drawing->asked && drawing->asked->step &&
      (!cell->step || strcmp(cell->step, drawing->asked->step) != 0))
    return false;
  if (drawing->parts)
    drawing->parts->take(drawing->parts, index, samples ? SHK_PART_STATES : SHK_PART_SERIES);
  const bool has =
      samples ? record->outcome.sample_count > 0 : shk_drawn_series(record, series) != NULL;
  if (drawing->parts)
    drawing->parts->put_back(drawing->parts, index);
  return has;
}

/* Marks the cells of a group that have this precision and this series. */
static bool *all_belonging(const struct shk_drawing *drawing, int group, const char *precision,
                           enum shk_series_id series)
{
  bool *const all = shk_allocate((size_t)drawing->groups[group].cell_count + 1, sizeof *all);
  for (int i = 0; i < drawing->groups[group].cell_count; i++)
    all[i] = belongs(drawing, drawing->groups[group].cells[i], precision, series);
  return all;
}

void shk_drawing_put_back(const struct shk_drawing *drawing)
{
  struct shk_taken *const taken = drawing->taken;
  for (int i = 0; drawing->parts && i < taken->count; i++)
    drawing->parts->put_back(drawing->parts, taken->cells[i]);
  free(taken->cells);
  *taken = (struct shk_taken){0};
}

static void take(const struct shk_drawing *drawing, int index)
{
  struct shk_taken *const taken = drawing->taken;
  if (!drawing->parts)
    return;
  drawing->parts->take(drawing->parts, index, SHK_PART_ALL);
  taken->cells = shk_grow(taken->cells, (size_t)taken->count, sizeof *taken->cells);
  taken->cells[taken->count++] = index;
}

static int methods_with(const struct shk_drawing *drawing, int group, const bool *belonging,
                        const char *step)
{
  int count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    count += cell->step && !cell->tolerance && strcmp(cell->step, step) == 0 && belonging[i];
  }
  return count;
}

static int descending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* The step that most methods have, the middle one of several; 0 if none has any. */
static double common_step(const struct shk_drawing *drawing, int group, const bool *belonging)
{
  double *const steps = shk_allocate((size_t)drawing->groups[group].cell_count + 1, sizeof *steps);
  int most = 0, count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    if (!cell->step || cell->tolerance || !belonging[i])
      continue;
    const int methods = methods_with(drawing, group, belonging, cell->step);
    if (methods > most)
      count = 0;
    if (methods < most)
      continue;
    most = methods;
    steps[count++] = cell->numbers.step;
  }
  /* Each step appears once for each method that has it. */
  qsort(steps, (size_t)count, sizeof *steps, descending);
  const double step = count > 0 ? steps[(count - 1) / 2] : 0;
  free(steps);
  return step;
}

/* Distance of a cell from the step to be shown; the least one is chosen. */
static double distance(const struct shk_cell *cell, double step)
{
  if (cell->tolerance)
    return cell->numbers.tolerance;
  return cell->step ? fabs(log(cell->numbers.step / step)) : 0;
}

/* Returns the runs at the selected step, or else at the step that most methods have, the middle one
 * of several; with several tolerances, at the tightest. */
const struct shk_record **shk_drawing_runs(const struct shk_drawing *drawing, int group,
                                           const char *precision, enum shk_series_id series,
                                           int *count)
{
  const struct shk_record **const runs =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *runs);
  bool *const belonging = all_belonging(drawing, group, precision, series);
  const double step = common_step(drawing, group, belonging);
  *count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    if (!belonging[i])
      continue;
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    const int method = shk_drawing_method(drawing, cell->integrator);
    const struct shk_record **run = &runs[method];
    *count += !*run;
    if (!*run || distance(cell, step) < distance(&(*run)->cell, step))
      *run = drawing->records[index];
  }
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    for (int m = 0; belonging[i] && m < drawing->method_count; m++)
      if (runs[m] == drawing->records[index])
        take(drawing, index);
  }
  free(belonging);
  return runs;
}

struct shk_label shk_step_label(const struct shk_cell *cell, int digits)
{
  const double value = cell->tolerance ? cell->numbers.tolerance : cell->numbers.step;
  if (!cell->tolerance && !cell->step)
    return shk_label_words("");
  struct shk_label label = shk_label_rounded(value, digits);
  if (cell->tolerance) {
    const struct shk_label number = label;
    snprintf(label.plain, sizeof label.plain, "tol. %.100s", number.plain);
    snprintf(label.latex, sizeof label.latex, "tol. %.100s", number.latex);
  }
  return label;
}

static bool same_step(const struct shk_cell *a, const struct shk_cell *b)
{
  return strcmp(shk_cell_step(a, ""), shk_cell_step(b, "")) == 0 && !a->tolerance == !b->tolerance;
}

/* Fewest digits, at least three, with which different steps are written differently. */
static int digits_of(const struct shk_record *const *runs, int count)
{
  enum { FEWEST = 3, MOST = 12 };
  for (int digits = FEWEST; digits < MOST; digits++) {
    bool apart = true;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < i; j++)
        if (runs[i] && runs[j] && !same_step(&runs[i]->cell, &runs[j]->cell)) {
          const struct shk_label a = shk_step_label(&runs[i]->cell, digits),
                                 b = shk_step_label(&runs[j]->cell, digits);
          apart = apart && strcmp(a.plain, b.plain) != 0;
        }
    if (apart)
      return digits;
  }
  return MOST;
}

struct shk_run_names shk_name_runs(struct shk_chart *chart, const struct shk_record *const *runs,
                                   int count)
{
  struct shk_run_names names = {.common = true, .digits = digits_of(runs, count)};
  const struct shk_cell *first = NULL;
  for (int i = 0; i < count; i++) {
    first = first || !runs[i] ? first : &runs[i]->cell;
    names.common = names.common && (!runs[i] || same_step(first, &runs[i]->cell));
  }
  const struct shk_label step =
      first && names.common ? shk_step_label(first, names.digits) : shk_label_words("");
  if (step.plain[0])
    shk_chart_head(chart, first->tolerance ? ", " : ", h\u00a0=\u00a0", step.plain);
  return names;
}

struct shk_label shk_run_label(const struct shk_run_names *names, const struct shk_record *run,
                               struct shk_label text)
{
  struct shk_label label = shk_label_words("");
  if (!names->common) {
    const struct shk_label step = shk_step_label(&run->cell, names->digits);
    const bool by_step = run->cell.step && !run->cell.tolerance;
    label = shk_label_join(by_step ? shk_label("h =", "$h=$") : shk_label_words(""), step);
  }
  if (!shk_record_finished(run))
    text = shk_label_print("to t = %.3g", "to $t=%.3g$", run->outcome.reached);
  return shk_label_join(label, text);
}

const struct shk_record **shk_chart_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                                         int group, const char *precision,
                                         enum shk_series_id series, struct shk_run_names *names)
{
  int count;
  const struct shk_record **runs = shk_drawing_runs(drawing, group, precision, series, &count);
  if (count == 0) {
    free(runs);
    return NULL;
  }
  char *exits = NULL;
  shk_drawing_chart(drawing, chart, group, NULL, precision);
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m]) {
      shk_chart_method(chart, m, drawing->styles[m]);
      shk_list_add(&exits, shk_record_finished(runs[m]) ? NAN : runs[m]->outcome.reached);
    }
  shk_chart_set_list(chart, "exits", exits);
  *names = shk_name_runs(chart, runs, drawing->method_count);
  return runs;
}

void shk_chart_name_runs(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_record *const *runs, const struct shk_run_names *names,
                         const char *word, enum shk_quantity_id quantity)
{
  for (int i = 0; i < chart->method_count; i++) {
    const int m = chart->methods[i];
    struct shk_label text = shk_label_words("");
    if (quantity != SHK_QUANTITIES) {
      const struct shk_label number =
          shk_label_number(shk_recorded(&runs[m]->outcome, quantity, NULL), 3);
      if (number.plain[0])
        text = shk_label_join(shk_label_words(word), number);
    }
    const struct shk_label label = shk_run_label(names, runs[m], text);
    shk_chart_legend(chart, i + 1, drawing->shown[m], &label);
  }
}
