/*
 * Work-precision: the error of q against CPU time and against counted work, each point a step or a
 * tolerance. If no error of q is known, the error of p is shown. A point at the floor shows only
 * that rounding, or the accuracy of the reference, is reached.
 */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include <math.h>

static double positive(double value)
{
  return value > 0 && isfinite(value) ? value : (double)NAN;
}

/* Adds the curves of a block; returns a mask of the costs that are known: 1 time, 2 work. */
static int gather(struct shk_curves *curves, const struct shk_drawing *drawing, int group,
                  enum shk_block_id block, const char *precision)
{
  int known = 0;
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_curve *curve = shk_drawing_curve(drawing, group, block, precision, m);
    for (int i = 0; curve && i < curve->count; i++) {
      const struct shk_point *const point = &curve->points[i];
      double *const y = shk_curves_at(curves, 0, m, point->step)->y;
      const double reference = isfinite(point->reference_error) ? point->reference_error : 0;
      y[0] = positive(point->error);
      y[1] = positive(point->seconds);
      y[2] = positive(point->work);
      y[3] = point->error <= point->floor + reference;
      known |= isfinite(y[0]) ? isfinite(y[1]) + 2 * isfinite(y[2]) : 0;
    }
  }
  return known;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_block_id blocks[] = {SHK_BLOCK_Q, SHK_BLOCK_P};
  struct shk_curves curves = {0};
  struct shk_chart chart;
  int b = 0, known = gather(&curves, drawing, group, blocks[b], precision);
  if (known == 0)
    known = gather(&curves, drawing, group, blocks[++b], precision);
  if (known == 0)
    return true;
  shk_drawing_chart(drawing, &chart, group, NULL, precision);
  shk_drawing_width(drawing, &chart, known == 3 ? SHK_MIDDLE_WIDTH : SHK_COLUMN_WIDTH);
  shk_curves_add_methods(&curves, drawing, &chart);
  shk_curves_write(&curves, drawing, &chart, 1, NULL, 4,
                   "step or tolerance, error, CPU seconds, evaluations of force and Jacobian, at "
                   "the floor");
  for (int k = 1; k < 3; k++)
    if (known & k)
      shk_chart_list(&chart, "costs", 0, k);
  shk_chart_quantity(&chart, "error", SHK_QUANTITY_ERROR, blocks[b], "");
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_work_precision = {
    .measure = "error",
    .shows = "the error of q against CPU time and counted work; small open marks: at round-off",
    .of_precision = draw};
