/*
 * Error of q and Newton iterations a step against a parameter of the problem that the study sweeps,
 * for each step or tolerance and precision. Cells that did not finish leave a gap in the lines.
 */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the point of a curve at a step, if it finished. */
static void add(struct shk_curves *curves, int method, double value, const struct shk_curve *curve,
                const char *step)
{
  struct shk_curve_point *const to = shk_curves_at(curves, 0, method, value);
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *const point = &curve->points[i];
    const struct shk_outcome *const outcome = point->record ? &point->record->outcome : NULL;
    if (!outcome || strcmp(shk_cell_step(&point->record->cell, "own"), step) != 0 ||
        !isfinite(point->error))
      continue;
    to->y[0] = point->error > 0 ? point->error : NAN;
    to->y[1] = shk_recorded(outcome, SHK_QUANTITY_WORK_ITERATIONS, NULL) /
               shk_recorded(outcome, SHK_QUANTITY_WORK_STEPS, NULL);
  }
}

static bool draw_step(struct shk_drawing *drawing, const struct shk_sweep *sweep,
                      const char *precision, const char *step)
{
  struct shk_curves curves = {0};
  for (int v = 0; v < sweep->count; v++)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *const curve =
          shk_drawing_curve(drawing, sweep->values[v].group, SHK_BLOCK_Q, precision, m);
      if (curve)
        add(&curves, m, sweep->values[v].value, curve, step);
    }
  if (shk_curves_longest(&curves) == 0) {
    free(curves.points);
    return true;
  }
  struct shk_chart chart;
  shk_sweep_chart(drawing, &chart, "error and iterations", sweep, precision, step);
  shk_curves_add_methods(&curves, drawing, &chart);
  shk_curves_write(&curves, drawing, &chart, 1, NULL, 2, "option, error of q, iterations a step");
  shk_chart_words(&chart, "option", sweep->option, sweep->option);
  shk_chart_quantity(&chart, "error", SHK_QUANTITY_ERROR, SHK_BLOCK_Q, "");
  return shk_drawing_draw(drawing, &chart);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_sweep sweep;
  bool ok = true;
  if (!shk_sweep_gather(&sweep, drawing, group))
    return true;
  for (int i = 0; ok && sweep.first == group && i < sweep.step_count; i++)
    ok = draw_step(drawing, &sweep, precision, sweep.steps[i]);
  shk_sweep_clear(&sweep);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_parameter = {
    .shows = "error of q and Newton iterations against an option of the problem with three "
             "values or more",
    .of_precision = draw};
