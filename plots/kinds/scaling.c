/*
 * Cost against size: CPU time per step and constraint of problems of one name that differ in the
 * number of their constraints. One figure for each such name and precision.
 *
 * Each mark is the cheapest step measured at that size, among the runs of at least ten steps.
 * Failed runs are omitted, with a gap in the line. A cost in proportion to the size is a level
 * line.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  enum { LEAST_SIZES = 3, LEAST_STEPS = 10 };
  struct shk_curves curves = {0};
  const struct shk_drawn_cell *cell;
  if (!shk_drawing_is_first(drawing, group))
    return true;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, true, "run", precision));) {
    const struct shk_outcome *const outcome = cell->record ? &cell->record->outcome : NULL;
    if (!outcome || outcome->m == 0)
      continue;
    const double steps = shk_recorded(outcome, SHK_QUANTITY_WORK_STEPS, NULL),
                 seconds = shk_recorded(outcome, SHK_QUANTITY_CPU_SECONDS, NULL);
    double *const cost = shk_curves_at(&curves, 0, cell->method, outcome->m)->y;
    if (shk_record_finished(cell->record) && steps >= LEAST_STEPS && seconds > 0)
      *cost = fmin(*cost, 1e9 * seconds / steps / outcome->m); /* fmin ignores NaN */
  }
  if (shk_curves_longest(&curves) < LEAST_SIZES) {
    free(curves.points);
    return true;
  }
  struct shk_chart chart;
  const char *const problem = drawing->groups[group].problem;
  char *const text = shk_print_text("%.*s, %s", (int)strcspn(problem, "( "), problem, precision);
  shk_drawing_chart_of_part(drawing, &chart, "cost of several sizes", text);
  free(text);
  shk_curves_add_methods(&curves, drawing, &chart);
  shk_curves_write(&curves, drawing, &chart, 1, NULL, 1,
                   "constraints, CPU nanoseconds per step and constraint");
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_scaling = {
    .shows = "CPU time per step and constraint against the number of constraints; needs a "
             "problem in three sizes",
    .of_precision = draw};
