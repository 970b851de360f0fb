/*
 * Work-precision: the error of q against CPU time and against counted work, each point a step or a
 * tolerance. Where no error of q is known, that of p. Small open marks are at round-off, or at the
 * reference's error, where more work brings nothing; no line joins them.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <string.h>

struct cost {
  const char *plain; /* of the axis */
  const char *column;
  double low, high;
};

static double cost_of(const struct shk_point *point, int which)
{
  return which == 0 ? point->seconds : point->work;
}

static bool is_good(double value)
{
  return value > 0 && isfinite(value);
}

/* Whether the error says only that rounding, or the reference, is reached. */
static bool is_at_floor(const struct shk_point *point)
{
  const double reference = isfinite(point->reference_error) ? point->reference_error : 0;
  return point->error <= point->floor + reference;
}

static bool is_wanted(const struct shk_curve *curve, enum shk_block_id block, const char *precision)
{
  return curve->block == block && strcmp(curve->precision, precision) == 0;
}

static int write_curve(struct shk_figure *figure, const struct shk_curve *curve)
{
  const int index = shk_figure_block(
      figure, "%s, %s, %s: %s, error, CPU seconds, evaluations, status, at the floor",
      shk_blocks[curve->block].name, curve->precision, curve->integrator,
      curve->against_tolerance ? "tolerance" : "step");
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double row[] = {point->step, is_good(point->error) ? point->error : NAN,
                          is_good(point->seconds) ? point->seconds : NAN,
                          is_good(point->work) ? point->work : NAN};
    shk_print_numbers(figure->data, row, 4);
    fprintf(figure->data, "\t%s\t%d\n", shk_record_status(point->record), is_at_floor(point));
  }
  return index;
}

/* Adds the curve to the panel of one cost, and extends the ranges. False if it has no point. */
static bool add_curve(const struct shk_figure *figure, struct shk_panel *panel,
                      const struct shk_curve *curve, int index, int method, int which,
                      struct cost *cost, double *low, double *high)
{
  int count = 0, above = 0;
  for (int i = 0; i < curve->count; i++) {
    const double error = curve->points[i].error, spent = cost_of(&curve->points[i], which);
    if (!is_good(error) || !is_good(spent))
      continue;
    count++;
    above += !is_at_floor(&curve->points[i]);
    cost->low = fmin(cost->low, spent);
    cost->high = fmax(cost->high, spent);
    *low = fmin(*low, error);
    *high = fmax(*high, error);
  }
  if (above > 1)
    shk_panel_layer(panel, "index %d using %s:($6>0?NaN:$2) with lines linestyle %d", index,
                    cost->column, method + 1);
  if (above > 0)
    shk_panel_layer(panel, "index %d using %s:($6>0?NaN:$2) with points linestyle %d", index,
                    cost->column, method + 1);
  if (count > above)
    shk_panel_layer(panel,
                    "index %d using %s:($6>0?$2:NaN) with points linestyle %d pointtype %d "
                    "pointsize %.2f",
                    index, cost->column, method + 1, shk_method_mark(figure, method) - 1,
                    0.6 * shk_method_size(figure, method));
  return count > 0;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  enum shk_block_id block = SHK_BLOCKS;
  bool costs[2] = {false, false};
  static const enum shk_block_id blocks[] = {SHK_BLOCK_Q, SHK_BLOCK_P};
  for (int b = 0; b < 2 && block == SHK_BLOCKS; b++)
    for (int i = 0; i < its->curve_count; i++)
      if (is_wanted(its->curves[i], blocks[b], precision))
        for (int j = 0; j < its->curves[i]->count; j++)
          for (int w = 0; w < 2; w++)
            if (is_good(its->curves[i]->points[j].error) &&
                is_good(cost_of(&its->curves[i]->points[j], w))) {
              costs[w] = true;
              block = blocks[b];
            }
  if (block == SHK_BLOCKS)
    return true;
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, NULL, precision, 1, costs[0] + costs[1]);
  struct cost ranges[] = {{"CPU time (s)", "3", INFINITY, 0},
                          {"evaluations of force and Jacobian", "4", INFINITY, 0}};
  double low = INFINITY, high = 0;
  for (int w = 0, column = 0; w < 2; w++)
    if (costs[w])
      shk_figure_panel(&figure, 0, column++);
  for (int m = 0; m < drawing->method_count; m++) {
    bool in_key = false;
    for (int i = 0; i < its->curve_count; i++) {
      const struct shk_curve *curve = its->curves[i];
      if (!is_wanted(curve, block, precision) ||
          strcmp(curve->integrator, drawing->methods[m]) != 0)
        continue;
      const int index = write_curve(&figure, curve);
      for (int w = 0, column = 0; w < 2; w++)
        if (costs[w])
          in_key = add_curve(&figure, &figure.panels[column++], curve, index, m, w, &ranges[w],
                             &low, &high) ||
                   in_key;
    }
    if (in_key)
      shk_key_method(&figure, m);
  }
  if (low < 1)
    high = fmin(high, 10); /* beyond, an error says nothing */
  for (int w = 0, column = 0; w < 2; w++) {
    if (!costs[w])
      continue;
    struct shk_panel *panel = &figure.panels[column++];
    shk_axis_range(&panel->x, ranges[w].low, ranges[w].high, 1.5);
    shk_axis_range(&panel->y, low, high, 3);
    panel->x.label = shk_label_words(ranges[w].plain);
    if (panel->column == 0)
      panel->y.label = shk_error_label(block, its->energy_unit);
  }
  return shk_drawing_finish(drawing, &figure);
}

const struct shk_figure_kind shk_figure_kind_work_precision = {
    .measure = "error",
    .shows = "the error of q against CPU time and against counted work; small open marks, which no "
             "line joins, are at round-off",
    .of_precision = draw};
