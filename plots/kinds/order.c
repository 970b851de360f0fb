/*
 * Draws the error as a function of the step size, with one panel per block. Fitted orders are
 * printed next to the method names, with the half-width in units of the last digit. Precisions
 * whose orders agree share a single value. If a method claims not to converge in q, no orders are
 * printed.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_ORDER = 20 };

/* The contents of a panel, which shows one block in all precisions. */
struct grid {
  const struct shk_drawing *drawing;
  int group, precision_count;
  const char *precisions[SHK_PRECISIONS];
  enum shk_block_id block;
};

/* Returns a method's error as a function of the step size, or NULL if there is nothing to draw. */
static const struct shk_curve *curve_of(const struct grid *grid, enum shk_block_id block,
                                        const char *precision, int method)
{
  const struct shk_curve *const curve =
      shk_drawing_curve(grid->drawing, grid->group, block, precision, method);
  return curve && !curve->against_tolerance ? curve : NULL;
}

/* Returns the curve in the most accurate precision. */
static const struct shk_curve *finest_of(const struct grid *grid, enum shk_block_id block,
                                         int method)
{
  return curve_of(grid, block, grid->precisions[grid->precision_count - 1], method);
}

static bool has_curve(const struct grid *grid, int method)
{
  for (int p = 0; p < grid->precision_count; p++)
    if (curve_of(grid, grid->block, grid->precisions[p], method))
      return true;
  return false;
}

/* ---- the fitted orders ---- */

/* Formats an order, for example as "2.000(3)", rounded to the first digit of its half-width, with
 * one to three decimal places. If there is no fit, the result is "round-off" or "–". */
static struct shk_phrase order_words(const struct shk_fit *fit)
{
  if (!fit->determined)
    return shk_phrase("%s", fit->exact ? "round-off" : "–");
  const int digit =
      fit->half_width > 0 && isfinite(fit->half_width) ? -(int)floor(log10(fit->half_width)) : 3;
  const int decimals = digit < 1 ? 1 : digit > 3 ? 3 : digit;
  const double unit = pow(10, -decimals), half = fmax(1, ceil(fit->half_width / unit - 1e-9)),
               order = fabs(fit->order) < unit / 2 ? 0 : fit->order; /* avoid "-0.000" */
  return half < 100 ? shk_phrase("%s%.*f(%.0f)", order < 0 ? "−" : "", decimals, fabs(order), half)
                    : shk_phrase("%s%.*f ± %.0f", order < 0 ? "−" : "", decimals, fabs(order),
                                 half * unit);
}

/* Formats the orders in all precisions as one phrase, which contains the order of the most accurate
 * fit, followed by any orders that are inconsistent with it. The phrase is empty if the method
 * claims not to converge in q. */
static struct shk_phrase orders_words(const struct grid *grid, enum shk_block_id block, int method)
{
  const struct shk_curve *best = NULL, *const q = finest_of(grid, SHK_BLOCK_Q, method);
  for (int p = grid->precision_count - 1; p >= 0 && !(q && q->claimed == 0); p--) {
    const struct shk_curve *curve = curve_of(grid, block, grid->precisions[p], method);
    if (curve && (curve->fit.determined || curve->fit.exact) &&
        (!best || (curve->fit.determined && best->fit.determined &&
                   curve->fit.half_width < best->fit.half_width)))
      best = curve;
  }
  struct shk_phrase words = best ? order_words(&best->fit) : shk_phrase("%s", "");
  for (int p = 0; best && best->fit.determined && p < grid->precision_count; p++) {
    const struct shk_curve *curve = curve_of(grid, block, grid->precisions[p], method);
    if (curve && curve->fit.determined &&
        fabs(curve->fit.order - best->fit.order) > curve->fit.half_width + best->fit.half_width)
      words =
          shk_phrase("%.90s, %s %s", words.text, curve->precision, order_words(&curve->fit).text);
  }
  return words;
}

/* ---- panels ---- */

static double floor_of(const struct shk_point *point)
{
  return point->floor + (isnan(point->reference_error) ? 0 : point->reference_error);
}

/* True if the reference error and round-off come close to the errors of the curve. */
static bool nears_floor(const struct shk_curve *curve)
{
  bool any = false;
  for (int i = 0; curve && i < curve->count; i++)
    any = any || curve->points[i].error < SHK_ORDER_MARGIN * floor_of(&curve->points[i]);
  return any;
}

/* Writes a curve as a data block. Its floor is left out if it is far below the curve. Returns true
 * if the points are ensembles with several members. */
static bool write_curve(struct shk_chart *chart, const struct grid *grid, const char *precision,
                        int method)
{
  const struct shk_curve *const curve = curve_of(grid, grid->block, precision, method);
  const bool relative = grid->block != SHK_BLOCK_ENERGY, near = nears_floor(curve);
  bool members = false;
  shk_chart_block(chart, grid->drawing->shown[method],
                  "%s, %s: step, error, in the fit, reference error and round-off, error of the "
                  "best member; %s",
                  shk_blocks[grid->block].name, precision, grid->drawing->methods.texts[method]);
  for (int i = 0; curve && i < curve->count; i++) {
    const struct shk_point *const point = &curve->points[i];
    const double floor = near ? floor_of(point) : 0;
    const double error = point->error > 0 ? point->error : (double)NAN;
    SHK_CHART_ROW(chart, point->step, error, point->in_window, floor > 0 ? floor : (double)NAN,
                  point->members.count > 0 ? point->members.least : (double)NAN);
    /* A relative error above 10 only means that the step size was too large. */
    shk_chart_point(chart, method, point->step, relative ? fmin(error, 10) : error);
    if (point->members.count > 0 && point->members.least > 0) {
      shk_chart_point(chart, method, point->step, point->members.least);
      shk_chart_point(chart, method, point->step, error);
    }
    members = members || point->members.count > 0;
  }
  shk_chart_point(chart, method, NAN, NAN);
  return members;
}

/* For each claimed order p, adds a grey line c h^p below the fitted points of all curves with that
 * claim. The line covers only the middle of the range of step sizes, because the orders are printed
 * at its end. */
static void add_slopes(struct shk_chart *chart, const struct grid *grid)
{
  for (int p = 1; p <= MOST_ORDER; p++) {
    double least = INFINITY, smallest = INFINITY, largest = 0;
    for (int m = 0; m < grid->drawing->methods.count; m++) {
      const struct shk_curve *const finest = finest_of(grid, grid->block, m);
      for (int k = 0; finest && finest->claimed == p && k < finest->count; k++)
        if (finest->points[k].in_window && finest->points[k].error > 0) {
          least = fmin(least, finest->points[k].error / pow(finest->points[k].step, p));
          smallest = fmin(smallest, finest->points[k].step);
          largest = fmax(largest, finest->points[k].step);
        }
    }
    if (!isfinite(least) || !(largest > smallest))
      continue;
    const double begin = pow(smallest, 0.7) * pow(largest, 0.3),
                 end = pow(smallest, 0.2) * pow(largest, 0.8), x[] = {begin, end},
                 y[] = {0.4 * least * pow(begin, p), 0.4 * least * pow(end, p)};
    const struct shk_phrase raised = p == 1 ? shk_phrase("%s", "") : shk_phrase("^{%d}", p);
    shk_chart_tag(chart, x, y, shk_phrase("{/:Italic h}%s", raised.text).text,
                  shk_phrase("$h%s$", raised.text).text);
  }
}

/* Names the block in the panel's title, and labels the vertical axis with the error. If panels show
 * different blocks, the label names none of them, so that the panels can share it. */
static void label_block(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                        enum shk_block_id block)
{
  const char *const words = block == SHK_BLOCK_Q        ? "positions "
                            : block == SHK_BLOCK_P      ? "momenta "
                            : block == SHK_BLOCK_LAMBDA ? "multipliers "
                                                        : "";
  shk_chart_part(chart, shk_phrase("%s%s", words, shk_blocks[block].figure).text,
                 shk_phrase("%s%s", words, shk_blocks[block].latex).text);
  if (block == SHK_BLOCK_ENERGY)
    shk_chart_quantity(chart, "ylabel", SHK_QUANTITY_ENERGY_MAX, SHK_BLOCKS, NULL,
                       drawing->groups[group].si ? " (J)" : "");
  else if (drawing->several_parts)
    shk_chart_words(chart, "ylabel", "max relative error", "max relative error");
  else
    shk_chart_quantity(chart, "ylabel", SHK_QUANTITY_ERROR, block, NULL, "");
}

static bool draw_order(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *precision, const char *part)
{
  const enum shk_block_id block = shk_block_named(part);
  struct grid grid = {.drawing = drawing, .group = group, .block = block};
  (void)precision;
  for (int p = 0; shk_precision_names[p]; p++)
    for (int m = 0; m < drawing->methods.count; m++)
      if (curve_of(&grid, block, shk_precision_names[p], m)) {
        grid.precisions[grid.precision_count++] = shk_precision_names[p];
        break;
      }
  if (grid.precision_count == 0)
    return true;
  struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
  bool members = false, unfitted = false, shaded = false;
  panel->x.log = panel->y.log = true;
  label_block(drawing, chart, group, block);
  panel->labelled = true;
  for (int m = 0; m < drawing->methods.count; m++)
    if (has_curve(&grid, m)) {
      const struct shk_phrase words = orders_words(&grid, block, m);
      shk_drawing_add(drawing, chart, m,
                      words.text[0] ? shk_phrase(", %.150s", words.text).text : "");
      const struct shk_curve *const finest = finest_of(&grid, block, m);
      shaded = shaded || nears_floor(finest);
      for (int i = 0; finest && i < finest->count; i++)
        unfitted = unfitted || (!finest->points[i].in_window && finest->points[i].error > 0);
    }
  for (int p = 0; p < grid.precision_count; p++)
    for (int m = 0; m < drawing->methods.count; m++)
      if (has_curve(&grid, m))
        members = write_curve(chart, &grid, grid.precisions[p], m) || members;
  add_slopes(chart, &grid);
  shk_chart_set(chart, "precisions", grid.precision_count);
  shk_chart_words(chart, "heading", "order", "order");
  shk_chart_step(chart, &drawing->groups[group]);
  const char *const finest = grid.precisions[grid.precision_count - 1];
  if (block != SHK_BLOCK_ENERGY)
    shk_chart_note(chart,
                   "Errors are the largest up to t = %s, relative to the largest norm of the block",
                   drawing->groups[group].until);
  if (grid.precision_count > 1)
    shk_chart_note(chart, "Thin lines without marks: %s%s; others: %s", grid.precisions[0],
                   grid.precision_count > 2 ? " and double" : "", finest);
  else
    shk_chart_note(chart, "All runs are in %s precision", finest);
  if (unfitted)
    chart->odd = "not in the fit";
  shk_chart_note(
      chart, "Orders are limits at a vanishing step: of the leading term of the signed errors or, "
             "where it is not found, of pairwise orders; of the points that exceed 100 times "
             "round-off and the error of the reference, the fit uses the finest, as many as give "
             "the smallest half-width");
  if (members)
    shk_chart_note(chart, "Bars extend from the worst to the best member");
  shk_chart_note(
      chart,
      "In parentheses, in units of the last digit: the half-width (at least 0.001), which is twice "
      "the change when one point or one term is added, plus round-off");
  shk_chart_note(chart, "Grey lines have the claimed orders");
  if (shaded)
    shk_chart_note(chart, "In grey areas, the reference error and round-off dominate");
  return true;
}

const struct shk_figure_kind shk_figure_kind_order = {.title = "Error against the step size",
                                                      .measure = "order",
                                                      .of_group = true,
                                                      .draw = draw_order,
                                                      .most_parts = 4,
                                                      .first_part = true,
                                                      .each_problem = true,
                                                      .by_step = true};
