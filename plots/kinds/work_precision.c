/*
 * Work-precision: the error of q against CPU time and against counted work, each point a step or a
 * tolerance. If no error of q is known, the error of p is shown. A point at the floor shows only
 * that rounding, or the accuracy of the reference, is reached.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <string.h>

static bool is_good(double value)
{
  return value > 0 && isfinite(value);
}

static bool is_at_floor(const struct shk_point *point)
{
  const double reference = isfinite(point->reference_error) ? point->reference_error : 0;
  return point->error <= point->floor + reference;
}

/* The curve of a method; NULL if it has no point. */
static const struct shk_curve *curve_of(const struct shk_drawing *drawing, int group,
                                        enum shk_block_id block, const char *precision, int method)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  for (int i = 0; i < its->curve_count; i++) {
    const struct shk_curve *curve = its->curves[i];
    if (curve->block != block || strcmp(curve->precision, precision) != 0 ||
        strcmp(curve->integrator, drawing->methods[method]) != 0)
      continue;
    for (int j = 0; j < curve->count; j++)
      if (is_good(curve->points[j].error) &&
          (is_good(curve->points[j].seconds) || is_good(curve->points[j].work)))
        return curve;
  }
  return NULL;
}

static void write_curve(struct shk_chart *chart, const char *name, const struct shk_curve *curve,
                        struct shk_extent extents[3])
{
  shk_chart_block(chart, name, NULL,
                  "%s, %s: %s, error, CPU seconds, evaluations of force and Jacobian, at the floor",
                  shk_blocks[curve->block].name, curve->precision,
                  curve->against_tolerance ? "tolerance" : "step");
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double values[] = {point->error, point->seconds, point->work};
    SHK_CHART_ROW(chart, point->step, is_good(point->error) ? point->error : NAN,
                  is_good(point->seconds) ? point->seconds : NAN,
                  is_good(point->work) ? point->work : NAN, is_at_floor(point));
    for (int k = 0; k < 3; k++)
      if (is_good(point->error))
        shk_extent_add(&extents[k], values[k]);
  }
}

static bool draw_block(struct shk_drawing *drawing, int group, enum shk_block_id block,
                       const char *precision)
{
  struct shk_extent extents[] = {shk_extent_of_nothing, shk_extent_of_nothing,
                                 shk_extent_of_nothing};
  struct shk_chart chart;
  char *costs = NULL;
  shk_drawing_chart(drawing, &chart, group, NULL, precision);
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_curve *curve = curve_of(drawing, group, block, precision, m);
    if (!curve)
      continue;
    shk_chart_method(&chart, m, drawing->styles[m]);
    shk_chart_legend(&chart, chart.method_count, drawing->shown[m], NULL);
    write_curve(&chart, drawing->shown[m], curve, extents);
  }
  for (int k = 1; k < 3; k++)
    if (extents[k].high > 0) {
      shk_list_add(&costs, k);
      shk_chart_range(&chart, k, extents[k].low / 1.5, extents[k].high * 1.5);
    }
  if (strlen(costs) > 1)
    shk_drawing_width(drawing, &chart, SHK_MIDDLE_WIDTH);
  const double high = extents[0].low < 1 ? fmin(extents[0].high, 10) : extents[0].high;
  shk_chart_set_list(&chart, "costs", costs);
  shk_chart_set(&chart, "low", extents[0].low / 3);
  shk_chart_set(&chart, "high", high * 3); /* a relative error beyond 10 has no meaning */
  shk_chart_set_label(&chart, "error", shk_error_label(block, ""));
  return shk_drawing_draw(drawing, &chart);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_block_id blocks[] = {SHK_BLOCK_Q, SHK_BLOCK_P};
  for (int b = 0; b < 2; b++)
    for (int m = 0; m < drawing->method_count; m++)
      if (curve_of(drawing, group, blocks[b], precision, m))
        return draw_block(drawing, group, blocks[b], precision);
  return true;
}

const struct shk_figure_kind shk_figure_kind_work_precision = {
    .measure = "error",
    .shows = "the error of q against CPU time and counted work; small open marks: at round-off",
    .of_precision = draw};
