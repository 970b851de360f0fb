/*
 * Kinds with a point for each cell, or a few cells: error against cost; error or cost against a
 * parameter of the problem; defects against the step; drift against the tolerance; round-off
 * against time. Cells that did not finish leave gaps in the lines.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_VALUES = 4 };

/* Points that belong to curves of methods in panels, collected in any order; begins as {0}. */
struct curves {
  int count;
  struct curve_point {
    int panel, method; /* from 0 */
    double x, y[POINT_VALUES];
  } * points;
};

/* Returns the values of a curve at x, NaN if the point is new. The pointer is valid until another
 * is added. */
static double *point_at(struct curves *curves, int panel, int method, double x)
{
  for (int i = curves->count - 1; i >= 0; i--) {
    struct curve_point *const point = &curves->points[i];
    if (point->panel == panel && point->method == method && point->x == x)
      return point->y;
  }
  struct curve_point *const point = SHK_APPEND(curves->points, curves->count);
  *point = (struct curve_point){panel, method, x, {NAN, NAN, NAN, NAN}};
  return point->y;
}

/* True if a curve has at least this number of points with a value. */
static bool has_enough_points(const struct curves *curves, int least)
{
  for (int i = 0; i < curves->count; i++) {
    const struct curve_point *const p = &curves->points[i];
    int count = 0;
    for (int j = 0; j < curves->count; j++)
      count += curves->points[j].panel == p->panel && curves->points[j].method == p->method &&
               isfinite(curves->points[j].y[0]);
    if (count >= least)
      return true;
  }
  return false;
}

static int by_place(const void *a, const void *b)
{
  const struct curve_point *const p = a, *const q = b;
  if (p->panel != q->panel)
    return p->panel - q->panel;
  return p->method != q->method ? p->method - q->method : (p->x > q->x) - (p->x < q->x);
}

/* Adds the methods that have a value, writes a block for each panel and method, and draws the
 * chart. Rows are x and the first `values` values, sorted by x. names: quantities of the panels;
 * NULL: one panel has no name. */
static bool draw_curves(struct curves *curves, struct shk_drawing *drawing, struct shk_chart *chart,
                        int panels, const enum shk_quantity_id *names, int values,
                        const char *columns)
{
  for (int m = 0; m < drawing->methods.count; m++) {
    bool any = false;
    for (int i = 0; i < curves->count; i++)
      any = any || (curves->points[i].method == m && isfinite(curves->points[i].y[0]));
    if (any)
      shk_drawing_add(drawing, chart, m, "");
  }
  qsort(curves->points, (size_t)curves->count, sizeof *curves->points, by_place);
  for (int k = 0; k < panels; k++)
    for (int i = 0; i < chart->method_count; i++) {
      const int m = chart->methods[i];
      shk_chart_block(chart, drawing->shown[m], "%s%s%s",
                      names ? shk_quantities[names[k]].scalar : "", names ? ": " : "", columns);
      for (int p = 0; p < curves->count; p++)
        if (curves->points[p].panel == k && curves->points[p].method == m)
          shk_chart_row(chart, &curves->points[p].x, values + 1);
    }
  return shk_drawing_draw(drawing, chart);
}

static double positive_or_nan(double value)
{
  return value > 0 && isfinite(value) ? value : (double)NAN;
}

/* ---- error against cost ---- */

static bool draw_work(struct shk_drawing *drawing, int group, const char *precision)
{
  struct curves curves = {0};
  struct shk_chart chart;
  bool seconds = false, work = false;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_curve *curve = shk_drawing_curve(drawing, group, SHK_BLOCK_Q, precision, m);
    for (int i = 0; curve && i < curve->count; i++) {
      const struct shk_point *const point = &curve->points[i];
      double *const y = point_at(&curves, 0, m, point->step);
      const double reference = isfinite(point->reference_error) ? point->reference_error : 0;
      y[1] = positive_or_nan(point->seconds);
      y[2] = positive_or_nan(point->work);
      y[0] = isnan(y[1]) && isnan(y[2]) ? (double)NAN : positive_or_nan(point->error);
      y[3] = point->error <= point->floor + reference;
      seconds = seconds || isfinite(y[0] + y[1]);
      work = work || isfinite(y[0] + y[2]);
    }
  }
  bool ok = true;
  if (seconds || work) {
    shk_drawing_chart(drawing, &chart, group, false, precision);
    shk_drawing_width(drawing, &chart, seconds + work);
    if (seconds)
      shk_chart_list(&chart, "costs", 0, 1);
    if (work)
      shk_chart_list(&chart, "costs", 0, 2);
    shk_chart_quantity(&chart, "error", SHK_QUANTITY_ERROR, SHK_BLOCK_Q);
    ok = draw_curves(&curves, drawing, &chart, 1, NULL, 4,
                     "step or tolerance, error, CPU seconds, evaluations of force and Jacobian, at "
                     "the floor");
  }
  free(curves.points);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_work_precision = {
    .measure = "error",
    .shows = "the error of q against CPU time and counted work; small open marks: at round-off",
    .draw = draw_work};

/* ---- error or cost against a parameter ---- */

/* Adds the points of a group at a step: error of q, iterations a step, and, for finished runs of at
 * least FEWEST_STEPS steps, the CPU time in ns per step and constraint. */
static void add_values(struct curves *curves, const struct shk_drawing *drawing,
                       const struct shk_swept_value *swept, const char *precision, const char *step)
{
  enum { FEWEST_STEPS = 10 };
  const struct shk_drawn_cell *cell;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, swept->group, "run", precision));) {
    const struct shk_outcome *const outcome = cell->record ? &cell->record->outcome : NULL;
    const struct shk_curve *const curve =
        shk_drawing_curve(drawing, swept->group, SHK_BLOCK_Q, precision, cell->method);
    if (!outcome || strcmp(shk_cell_step(cell->cell, "own"), step) != 0)
      continue;
    double *const y = point_at(curves, 0, cell->method, swept->value);
    const double steps = shk_recorded(outcome, SHK_QUANTITY_WORK_STEPS, NULL),
                 seconds = shk_recorded(outcome, SHK_QUANTITY_CPU_SECONDS, NULL);
    for (int i = 0; curve && i < curve->count; i++)
      if (curve->points[i].record == cell->record && isfinite(curve->points[i].error)) {
        y[0] = positive_or_nan(curve->points[i].error);
        y[1] = shk_recorded(outcome, SHK_QUANTITY_WORK_ITERATIONS, NULL) / steps;
      }
    if (shk_record_finished(cell->record) && steps >= FEWEST_STEPS)
      y[2] = positive_or_nan(1e9 * seconds / steps / outcome->m);
  }
}

/* Draws a figure for each step or tolerance, of errors or, if there are none, of costs. */
static bool draw_parameter(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_sweep sweep;
  bool ok = true;
  if (!shk_sweep_gather(&sweep, drawing, group))
    return true;
  for (int i = 0; ok && sweep.first == group && i < sweep.steps.count; i++) {
    struct curves curves = {0};
    struct shk_chart chart;
    for (int v = 0; v < sweep.count; v++)
      add_values(&curves, drawing, &sweep.values[v], precision, sweep.steps.texts[i]);
    const bool costs = !has_enough_points(&curves, 1);
    for (int k = 0; costs && k < curves.count; k++)
      curves.points[k].y[0] = curves.points[k].y[2];
    if (has_enough_points(&curves, 1)) {
      shk_sweep_chart(drawing, &chart, &sweep, precision, sweep.steps.texts[i]);
      shk_chart_words(&chart, "option", sweep.option, sweep.option);
      shk_chart_set(&chart, "costs", costs);
      shk_chart_quantity(&chart, "error", SHK_QUANTITY_ERROR, SHK_BLOCK_Q);
      ok = draw_curves(&curves, drawing, &chart, 1, NULL, 2,
                       costs ? "option, CPU nanoseconds per step and constraint"
                             : "option, error of q, iterations a step");
    }
    free(curves.points);
  }
  shk_sweep_clear(&sweep);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_parameter = {
    .shows = "error of q and Newton iterations or, without errors, CPU time per step and "
             "constraint against an option of the problem with three values or more",
    .draw = draw_parameter};

/* ---- defects against the step ---- */

/* Adds a panel of the quantity, with its floor: the one recorded for the cell, or the rounding of a
 * constraint of size one. Returns false if it is not measured. */
static bool add_panel(struct curves *curves, const struct shk_drawing *drawing, int group,
                      const char *precision, enum shk_quantity_id quantity, int panel)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_measure_entry *const measure = &shk_measures[entry->measure];
  const char *const kind = measure->in == SHK_IN_STEPS ? measure->name : "run";
  const struct shk_drawn_cell *cell;
  bool any = false;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, kind, precision));) {
    if (!cell->record || !cell->cell->step || cell->cell->tolerance)
      continue;
    double *const y = point_at(curves, panel, cell->method, cell->cell->numbers.step);
    const bool measured = entry->floor == SHK_FLOOR_CELL;
    y[1] = measured ? 0 : shk_precision_named(precision)->epsilon;
    if (!shk_record_finished(cell->record))
      continue;
    y[0] = shk_recorded(&cell->record->outcome, quantity, NULL);
    if (measured)
      y[1] = shk_recorded(&cell->record->outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
    any = any || isfinite(y[0]);
  }
  return any;
}

/* Draws a panel for each structure measure of the study, and a last one with the largest |g|. */
static bool draw_structure(struct shk_drawing *drawing, int group, const char *precision)
{
  enum shk_quantity_id shown[SHK_QUANTITIES + 1];
  struct curves curves = {0};
  struct shk_chart chart;
  int rows = 0;
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    shown[rows] = (enum shk_quantity_id)i;
    rows += entry->scalar && entry->parameter == SHK_BY_NOTHING && entry->measure != SHK_MEASURES &&
            shk_measures[entry->measure].in == SHK_IN_STEPS &&
            add_panel(&curves, drawing, group, precision, shown[rows], rows);
  }
  if (rows == 0)
    return true;
  shown[rows] = SHK_QUANTITY_CONSTRAINT_MAX;
  rows += add_panel(&curves, drawing, group, precision, shown[rows], rows);
  const int columns = rows <= 2 ? rows : rows <= 4 ? 2 : 3;
  shk_drawing_chart(drawing, &chart, group, false, precision);
  shk_drawing_width(drawing, &chart, columns);
  for (int i = 0; i < rows; i++)
    shk_chart_quantity(&chart, shk_phrase("title_%d", i + 1).text, shown[i], SHK_BLOCKS);
  shk_chart_set(&chart, "panels", rows);
  shk_chart_set(&chart, "across", columns);
  const bool ok =
      draw_curves(&curves, drawing, &chart, rows, shown, 2, "step, largest value, floor");
  free(curves.points);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_structure = {
    .shows = "defects of one step (such as symplecticity) and max \\|g\\| against the step, with "
             "the floor",
    .only_by_name = true,
    .draw = draw_structure};

/* ---- drift against the tolerance ---- */

/* Returns the tolerance in a specification; 0 if there is none. */
static double tolerance_of(const char *integrator)
{
  const char *const at = strstr(integrator, "tolerance=");
  return at ? strtod(strchr(at, '=') + 1, NULL) : 0;
}

/* Draws a panel for each of the first steps. Methods that differ in their tolerance alone have the
 * number of the first of them. A panel has two sets of data: slopes against the tolerance, and
 * slopes of methods solved to round-off. */
static bool draw_tolerance(struct shk_drawing *drawing, int group, const char *precision)
{
  enum { MOST_PANELS = 3, LEAST_POINTS = 3 };
  const size_t methods = (size_t)drawing->methods.count;
  char **const bases = shk_allocate(methods + 1, sizeof *bases);
  struct shk_index steps = {0};
  struct curves curves = {0};
  char **const shown = drawing->shown;
  struct shk_chart chart;
  const struct shk_drawn_cell *cell;
  bool ok = true;
  for (size_t m = 0; m < methods; m++)
    bases[m] = shk_without_option(drawing->methods.texts[m], "tolerance");
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, "run", precision));) {
    const double tolerance = tolerance_of(cell->cell->integrator);
    const int panel = cell->cell->step ? shk_index_text(&steps, cell->cell->step) : MOST_PANELS;
    int first = 0;
    while (strcmp(bases[first], bases[cell->method]) != 0)
      first++;
    if (panel >= MOST_PANELS)
      continue;
    const struct shk_drift *const drift = shk_drawn_drift(drawing, cell->record);
    double *const y = point_at(&curves, 2 * panel + !(tolerance > 0), first, tolerance);
    y[0] = drift ? drift->slope : (double)NAN;
    y[1] = drift ? drift->slope_half_width : (double)NAN;
  }
  if (has_enough_points(&curves, LEAST_POINTS)) {
    const int panels = steps.count < MOST_PANELS ? steps.count : MOST_PANELS;
    drawing->shown = bases;
    shk_drawing_chart(drawing, &chart, group, false, precision);
    for (int k = 0; k < panels; k++)
      shk_chart_list(&chart, "steps", 0, strtod(steps.texts[k], NULL));
    shk_chart_set(&chart, "panels", panels);
    shk_chart_note(&chart, "filled: gains energy, open: loses it, arrow: upper bound");
    ok = draw_curves(&curves, drawing, &chart, 2 * panels, NULL, 2, "tolerance, slope, half-width");
    drawing->shown = shown;
  }
  shk_index_clear(&steps);
  free(curves.points);
  shk_free_texts(bases, drawing->methods.count);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_tolerance = {
    .shows = "energy slope against the tolerance of the multiplier solve, a panel for each step; "
             "needs three tolerances of a method",
    .draw = draw_tolerance};

/* ---- round-off against time ---- */

/* Adds the squares of the differences of two runs and their number to points at the middles of
 * intervals of log t. Returns false if the runs do not have the same times, up to the seventh
 * digit, which is the last one in single. */
static bool add_start(struct curves *curves, int method, const struct shk_record *low,
                      const struct shk_record *in_quad)
{
  const double width = log(1.25);
  const struct shk_series *const a = shk_drawn_series(low, SHK_SERIES_ENERGY_ERROR),
                                 *const b = shk_drawn_series(in_quad, SHK_SERIES_ENERGY_ERROR);
  bool same = a && b && a->count == b->count &&
              strcmp(shk_cell_step(&low->cell, ""), shk_cell_step(&in_quad->cell, "")) == 0;
  for (int i = 0; same && i < a->count; i++)
    same = fabs(a->time[i] - b->time[i]) <= 1e-6 * fabs(a->time[i]);
  for (int i = 0; same && i < a->count; i++) {
    const double middle = exp(width * (floor(log(a->time[i]) / width) + 0.5)),
                 difference = a->mean[i] - b->mean[i];
    double *const y = point_at(curves, 0, method, middle);
    y[1] = isnan(y[1]) ? 1 : y[1] + 1;
    y[2] = (isnan(y[2]) ? 0 : y[2]) + difference * difference;
    y[0] = sqrt(y[2] / y[1]);
  }
  return same;
}

/*
 * Draws the energy of a run minus that of the quad run of the same method: the method's own error
 * cancels. Problems of one name that differ in their starts are combined as the root of the mean
 * square over the starts and over times within a factor of 1.25, since a single random walk is not
 * conclusive.
 */
static bool draw_round_off(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  struct curves curves = {0};
  struct shk_chart chart;
  int starts = 0;
  bool ok = true;
  if (strcmp(precision, "quad") == 0 || !shk_drawing_is_first(drawing, group))
    return true;
  for (int at = 0, g; (g = shk_drawing_next_group(drawing, &at, problem)) >= 0;) {
    struct shk_runs low = shk_drawing_runs(drawing, g, precision, SHK_SERIES_ENERGY_ERROR),
                    in_quad = shk_drawing_runs(drawing, g, "quad", SHK_SERIES_ENERGY_ERROR);
    bool any = false;
    for (int m = 0; m < drawing->methods.count; m++)
      any |= low.of[m] && in_quad.of[m] && add_start(&curves, m, low.of[m], in_quad.of[m]);
    starts += any;
    shk_drawing_put_back(drawing);
  }
  if (starts > 0) {
    shk_drawing_chart(drawing, &chart, group, true, precision);
    shk_chart_words(&chart, "precision", precision, precision);
    shk_chart_note(&chart, "root of the mean square over times and %d starts", starts);
    ok = draw_curves(&curves, drawing, &chart, 1, NULL, 1, "time, root of the mean square");
  }
  free(curves.points);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_round_off = {
    .shows = "growth of round-off: the energy in double or single minus that in quad, over all "
             "starts, with the slopes of a random walk and a drift",
    .only_by_name = true,
    .measure = "energy",
    .draw = draw_round_off};
