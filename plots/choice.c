/*
 * Which run of each method a figure along the run shows.
 */
#include "foundation/memory.h"
#include "plots/drawing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct shk_series *shk_drawn_series(const struct shk_record *record, const char *name)
{
  const struct shk_series *series = record ? shk_outcome_series(&record->outcome, name) : NULL;
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

/* Whether the cell, of a group's, is what is wanted: of this precision and with the series. */
static bool belongs(const struct shk_drawing *drawing, int index, const char *precision,
                    const char *name)
{
  const struct shk_cell *const cell = &drawing->plan->cells[index].cell;
  const struct shk_record *const record = drawing->records[index];
  /* What only cells of the kind regularity have is asked of them, all else of plain runs. */
  const char *const kind = name && strcmp(name, "singular-value") == 0 ? "regularity" : "run";
  if (strcmp(cell->precision, precision) != 0 || strcmp(cell->kind, kind) != 0 || !record)
    return false;
  if (drawing->asked && drawing->asked->step &&
      (!cell->step || strcmp(cell->step, drawing->asked->step) != 0))
    return false;
  return name ? shk_drawn_series(record, name) != NULL : record->outcome.sample_count > 0;
}

static int methods_with(const struct shk_drawing *drawing, int group, const char *precision,
                        const char *name, const char *step)
{
  int count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    count += cell->step && !cell->tolerance && strcmp(cell->step, step) == 0 &&
             belongs(drawing, index, precision, name);
  }
  return count;
}

static int descending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* The step that most methods have, the middle one of several; 0 if none has any. */
static double common_step(const struct shk_drawing *drawing, int group, const char *precision,
                          const char *name)
{
  double *const steps = shk_allocate((size_t)drawing->groups[group].cell_count + 1, sizeof *steps);
  int most = 0, count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    if (!cell->step || cell->tolerance || !belongs(drawing, index, precision, name))
      continue;
    const int methods = methods_with(drawing, group, precision, name, cell->step);
    if (methods > most)
      count = 0;
    if (methods < most)
      continue;
    most = methods;
    steps[count++] = strtod(cell->step, NULL);
  }
  /* Each step is there as often as there are methods. */
  qsort(steps, (size_t)count, sizeof *steps, descending);
  const double step = count > 0 ? steps[(count - 1) / 2] : 0;
  free(steps);
  return step;
}

/* How far a cell is from what is wanted; less is better. */
static double distance(const struct shk_cell *cell, double step)
{
  if (cell->tolerance)
    return strtod(cell->tolerance, NULL);
  return cell->step ? fabs(log(strtod(cell->step, NULL) / step)) : 0;
}

const struct shk_record **shk_drawing_runs(const struct shk_drawing *drawing, int group,
                                           const char *precision, const char *series, int *count)
{
  const struct shk_record **const runs =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *runs);
  const double step = common_step(drawing, group, precision, series);
  *count = 0;
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    if (!belongs(drawing, index, precision, series))
      continue;
    const struct shk_cell *cell = &drawing->plan->cells[index].cell;
    const int method = shk_drawing_method(drawing, cell->integrator);
    const struct shk_record **run = &runs[method];
    *count += *run == NULL;
    if (!*run || distance(cell, step) < distance(&(*run)->cell, step))
      *run = drawing->records[index];
  }
  return runs;
}
