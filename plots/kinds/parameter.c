/*
 * Error of q and Newton iterations a step against a parameter of the problem that the study sweeps,
 * for each step or tolerance and precision. Cells that did not finish leave a gap in the lines.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The point of a method's curve of q at this step; NULL if it is missing or did not finish. */
static const struct shk_point *find_point(const struct shk_drawing *drawing, int group,
                                          const char *precision, int method, const char *step)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  for (int i = 0; i < its->curve_count; i++) {
    const struct shk_curve *curve = its->curves[i];
    if (curve->block != SHK_BLOCK_Q || strcmp(curve->precision, precision) != 0 ||
        strcmp(curve->integrator, drawing->methods[method]) != 0)
      continue;
    for (int j = 0; j < curve->count; j++) {
      const struct shk_point *point = &curve->points[j];
      if (point->record && strcmp(shk_cell_step(&point->record->cell, "own"), step) == 0)
        return isfinite(point->error) ? point : NULL;
    }
  }
  return NULL;
}

static double iterations(const struct shk_point *point)
{
  return shk_recorded(&point->record->outcome, SHK_QUANTITY_WORK_ITERATIONS, NULL) /
         shk_recorded(&point->record->outcome, SHK_QUANTITY_WORK_STEPS, NULL);
}

/* Writes a method's rows and extends the ranges. Returns false if it has no point. */
static bool write_method(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_parameter_sweep *swept, const char *precision, int method,
                         const char *step, struct shk_extent *errors, struct shk_extent *works)
{
  bool any = false;
  for (int v = 0; v < swept->count; v++)
    any = any || find_point(drawing, swept->values[v].group, precision, method, step);
  if (any)
    shk_chart_block(chart, drawing->shown[method], NULL, "%s, error of q, iterations a step",
                    swept->option);
  for (int v = 0; any && v < swept->count; v++) {
    const struct shk_point *point =
        find_point(drawing, swept->values[v].group, precision, method, step);
    const double error = point && point->error > 0 ? point->error : NAN;
    const double work = point ? iterations(point) : NAN;
    SHK_CHART_ROW(chart, swept->values[v].value, error, work);
    shk_extent_add(errors, error);
    shk_extent_add(works, work);
  }
  return any;
}

static bool draw_step(struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                      const char *precision, const char *step)
{
  struct shk_chart chart;
  struct shk_extent errors = shk_extent_of_nothing, works = shk_extent_of_nothing;
  const double first = swept->values[0].value, last = swept->values[swept->count - 1].value;
  char *const text = shk_print_text("%s, %s, %s %s", swept->problem, precision,
                                    strcmp(step, "own") == 0 ? "steps of its" : "step", step);
  char *const what = shk_print_text("error and iterations against %s", swept->option);
  shk_drawing_chart_of_part(drawing, &chart, what, text);
  free(what);
  free(text);
  for (int m = 0; m < drawing->method_count; m++)
    if (write_method(drawing, &chart, swept, precision, m, step, &errors, &works)) {
      shk_chart_method(&chart, m, drawing->styles[m]);
      shk_chart_legend(&chart, chart.method_count, drawing->shown[m], NULL);
    }
  shk_chart_set(&chart, "logarithmic", first > 0);
  shk_chart_set(&chart, "least", first);
  shk_chart_set(&chart, "largest", last);
  shk_chart_range(&chart, 1, errors.high > 0 ? errors.low / 4 : 1e-17,
                  errors.high > 0 ? errors.high * 4 : 1e-15);
  shk_chart_range(&chart, 2, 0, works.high > 0 ? 1.15 * works.high : 1);
  shk_chart_set_label(&chart, "option", shk_label_words(swept->option));
  shk_chart_set_nth_label(&chart, "label", 1, shk_error_label(SHK_BLOCK_Q, ""));
  shk_chart_set_nth_label(&chart, "label", 2, shk_label_words("Newton iterations a step"));
  return shk_drawing_draw(drawing, &chart);
}

/* True if any method has a point at this step. */
static bool has_points(const struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                       const char *precision, const char *step)
{
  for (int v = 0; v < swept->count; v++)
    for (int m = 0; m < drawing->method_count; m++)
      if (find_point(drawing, swept->values[v].group, precision, m, step))
        return true;
  return false;
}

/* Draws one figure for each step of the first value's cells; all values have the same steps. */
static bool draw_sweep(struct shk_drawing *drawing, const struct shk_parameter_sweep *swept,
                       const char *precision)
{
  const struct shk_drawn_group *its = &drawing->groups[swept->values[0].group];
  for (int i = 0; i < its->cell_count; i++) {
    const char *const step = shk_cell_step(&drawing->plan->cells[its->cells[i]].cell, "own");
    bool seen = false;
    for (int j = 0; j < i; j++)
      seen = seen ||
             strcmp(shk_cell_step(&drawing->plan->cells[its->cells[j]].cell, "own"), step) == 0;
    if (!seen && has_points(drawing, swept, precision, step) &&
        !draw_step(drawing, swept, precision, step))
      return false;
  }
  return true;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_parameter_sweep swept;
  if (!shk_swept_gather(&swept, drawing, group))
    return true;
  const bool ok = draw_sweep(drawing, &swept, precision);
  shk_swept_clear(&swept);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_parameter = {
    .shows = "error of q and Newton iterations against an option of the problem with three "
             "values or more",
    .of_precision = draw};
