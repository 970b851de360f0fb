/*
 * Error against the step: one figure for each block, and one with q, p and the multipliers side by
 * side. The fitted orders are printed below the panels. Precisions that agree share one text; a
 * block in which a method claims not to converge has none.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum shk_block_id blocks[] = {
    SHK_BLOCK_Q,          SHK_BLOCK_P,  SHK_BLOCK_LAMBDA,       SHK_BLOCK_LAMBDA_MEAN,
    SHK_BLOCK_LAMBDA_SUM, SHK_BLOCK_MU, SHK_BLOCK_LAMBDA_STATE, SHK_BLOCK_ENERGY};
enum { BLOCKS = sizeof blocks / sizeof *blocks, SIDE_BY_SIDE = 4, MOST_ORDER = 20 };

/* Contents of a figure: a panel for each block, each with all the precisions. */
struct grid {
  const struct shk_drawing *drawing;
  int group, precision_count, columns;
  const char *precisions[SHK_PRECISIONS];
  enum shk_block_id blocks[SIDE_BY_SIDE];
};

/* The curve of a method; NULL if there is nothing to draw. */
static const struct shk_curve *curve_of(const struct grid *grid, enum shk_block_id block,
                                        const char *precision, int method)
{
  const struct shk_curve *const curve =
      shk_drawing_curve(grid->drawing, grid->group, block, precision, method);
  return curve && !curve->against_tolerance ? curve : NULL;
}

static bool has_block(const struct grid *grid, enum shk_block_id block, const char *precision)
{
  for (int m = 0; m < grid->drawing->method_count; m++)
    if (curve_of(grid, block, precision, m))
      return true;
  return false;
}

/* The grid of those blocks that have data, from the first on; without columns if none has. */
static struct grid grid_of(const struct shk_drawing *drawing, int group, int first, int count)
{
  struct grid grid = {.drawing = drawing, .group = group};
  for (int p = 0; shk_precision_names[p]; p++) {
    bool any = false;
    for (int b = first; b < first + count; b++)
      any = any || has_block(&grid, blocks[b], shk_precision_names[p]);
    if (any)
      grid.precisions[grid.precision_count++] = shk_precision_names[p];
  }
  for (int b = first; b < first + count; b++) {
    bool any = false;
    for (int p = 0; p < grid.precision_count; p++)
      any = any || has_block(&grid, blocks[b], grid.precisions[p]);
    if (any)
      grid.blocks[grid.columns++] = blocks[b];
  }
  return grid;
}

/* ---- the fitted orders ---- */

/* Text of an order, "2.000 ± 0.003": decimals up to the first digit of the half-width, at most
 * three. */
static struct shk_phrase order_words(const struct shk_fit *fit)
{
  if (!fit->determined)
    return shk_phrase("%s", fit->exact ? "round-off" : "–");
  int decimals = 3;
  if (fit->half_width > 0 && isfinite(fit->half_width)) {
    decimals = -(int)floor(log10(fit->half_width));
    decimals = decimals < 1 ? 1 : decimals > 3 ? 3 : decimals;
  }
  const double unit = pow(10, -decimals),
               half = fmax(unit, ceil(fit->half_width / unit - 1e-9) * unit),
               order = fabs(fit->order) < unit / 2 ? 0 : fit->order; /* no "-0.000" */
  return shk_phrase("%s%.*f ± %.*f", order < 0 ? "−" : "", decimals, fabs(order), decimals, half);
}

/* The orders of all precisions in one text: that of the most accurate fit, and those that
 * contradict it. Empty if the method claims not to converge, in this block or in q. */
static struct shk_phrase orders_words(const struct grid *grid, enum shk_block_id block, int method)
{
  const struct shk_curve *best = NULL;
  const struct shk_curve *const q =
      curve_of(grid, SHK_BLOCK_Q, grid->precisions[grid->precision_count - 1], method);
  for (int p = grid->precision_count - 1; p >= 0 && !(q && q->claimed == 0); p--) {
    const struct shk_curve *curve = curve_of(grid, block, grid->precisions[p], method);
    if (curve && curve->claimed != 0 && (curve->fit.determined || curve->fit.exact) &&
        (!best || (curve->fit.determined && best->fit.determined &&
                   curve->fit.half_width < best->fit.half_width)))
      best = curve;
  }
  struct shk_phrase words = best ? order_words(&best->fit) : shk_phrase("%s", "");
  for (int p = 0; best && best->fit.determined && p < grid->precision_count; p++) {
    const struct shk_curve *curve = curve_of(grid, block, grid->precisions[p], method);
    if (curve && curve != best && curve->fit.determined &&
        fabs(curve->fit.order - best->fit.order) > curve->fit.half_width + best->fit.half_width)
      words =
          shk_phrase("%.90s, %s %s", words.text, curve->precision, order_words(&curve->fit).text);
  }
  return words;
}

/* ---- data ---- */

/* Returns whether the points have members. */
static bool add_curve(struct shk_curves *curves, struct shk_chart *chart, int panel, int method,
                      const struct shk_curve *curve)
{
  bool members = false;
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double reference = isnan(point->reference_error) ? 0 : point->reference_error;
    if (point->record && !shk_record_finished(point->record))
      shk_chart_say(chart,
                    shk_phrase("%s, %s, step %.9g", shk_blocks[curve->block].name, curve->precision,
                               point->step)
                        .text,
                    shk_record_status(point->record));
    double *const y = shk_curves_at(curves, panel, method, point->step)->y;
    y[0] = point->error > 0 ? point->error : NAN;
    y[1] = point->in_window;
    y[2] = point->floor + reference > 0 ? point->floor + reference : NAN;
    y[3] = point->members.count > 0 ? point->members.least : NAN;
    members = members || point->members.count > 0;
  }
  return members;
}

/* Lists the claimed orders p, each with the factor c of the line c h^p that touches the curves with
 * that claim from below. */
static void add_slopes(struct shk_chart *chart, const struct grid *grid, int column)
{
  for (int p = 1; p <= MOST_ORDER; p++) {
    double least = INFINITY;
    for (int i = 0; i < chart->method_count; i++) {
      const struct shk_curve *const finest =
          curve_of(grid, grid->blocks[column], grid->precisions[grid->precision_count - 1],
                   chart->methods[i]);
      for (int k = 0; finest && finest->claimed == p && k < finest->count; k++)
        if (finest->points[k].in_window && finest->points[k].error > 0)
          least = fmin(least, finest->points[k].error / pow(finest->points[k].step, p));
    }
    if (isfinite(least)) {
      shk_chart_list(chart, "slopes", column + 1, p);
      shk_chart_list(chart, "slopes", column + 1, least);
    }
  }
}

/* Writes the fitted orders of a panel as names of blocks. */
static void add_orders(struct shk_chart *chart, const struct grid *grid, int column)
{
  const enum shk_block_id block = grid->blocks[column];
  shk_chart_set(chart, shk_phrase("orders_%d", column + 1).text, chart->block_count);
  for (int i = 0; i < chart->method_count; i++) {
    const struct shk_phrase words = orders_words(grid, block, chart->methods[i]);
    if (words.text[0]) {
      shk_chart_block(chart, words.text, "order of %s", shk_blocks[block].name);
      shk_chart_list(chart, "told", column + 1, i + 1);
    }
  }
}

/* ---- figures ---- */

static void fill_legend(struct shk_chart *chart, const struct grid *grid)
{
  bool any = false;
  for (int i = 0; i < chart->method_count; i++) {
    const int m = chart->methods[i];
    for (int c = 0; c < grid->columns; c++)
      any = any || orders_words(grid, grid->blocks[c], m).text[0];
    shk_chart_legend(chart, i + 1, grid->drawing->shown[m],
                     grid->columns == 1 ? orders_words(grid, grid->blocks[0], m).text : "");
  }
  if (grid->precision_count == 1)
    shk_chart_head(chart, ", %s", grid->precisions[0]);
  else
    shk_chart_note(chart, "open marks: %s%s, filled: %s", grid->precisions[0],
                   grid->precision_count > 2 ? " and double" : "",
                   grid->precisions[grid->precision_count - 1]);
  if (any)
    shk_chart_note(chart, "±: half-width of the fitted order");
}

static bool draw_grid(struct shk_drawing *drawing, const struct grid *grid, const char *block)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  const bool energy = grid->blocks[0] == SHK_BLOCK_ENERGY;
  bool members = false;
  struct shk_phrase names[SIDE_BY_SIDE * SHK_PRECISIONS];
  struct shk_curves curves = {0};
  struct shk_chart chart;
  shk_drawing_chart(drawing, &chart, grid->group, block, NULL);
  shk_drawing_width(drawing, &chart, widths[grid->columns < 3 ? grid->columns - 1 : 2]);
  for (int m = 0; m < drawing->method_count; m++) {
    bool drawn = false;
    for (int k = 0; k < grid->columns * grid->precision_count; k++) {
      const struct shk_curve *const curve =
          curve_of(grid, grid->blocks[k / grid->precision_count],
                   grid->precisions[k % grid->precision_count], m);
      members = (curve && add_curve(&curves, &chart, k, m, curve)) || members;
      drawn = drawn || curve;
    }
    if (drawn)
      shk_chart_method(&chart, m, drawing->styles[m]);
  }
  for (int k = 0; k < grid->columns * grid->precision_count; k++)
    names[k] = shk_phrase("%s, %s", shk_blocks[grid->blocks[k / grid->precision_count]].name,
                          grid->precisions[k % grid->precision_count]);
  shk_curves_write(&curves, drawing, &chart, grid->columns * grid->precision_count, names, 4,
                   "step, error, in the fit, reference error and round-off, error of the best "
                   "member");
  shk_chart_set(&chart, "panels", grid->columns);
  shk_chart_set(&chart, "precisions", grid->precision_count);
  shk_chart_set(&chart, "relative", !energy);
  shk_chart_set(&chart, "members", members);
  if (grid->columns > 1)
    shk_chart_words(&chart, "error", "max error (relative)", "max error (relative)");
  else
    shk_chart_quantity(&chart, "error", energy ? SHK_QUANTITY_ENERGY_MAX : SHK_QUANTITY_ERROR,
                       energy ? SHK_BLOCKS : grid->blocks[0],
                       energy ? drawing->groups[grid->group].energy_unit : "");
  for (int c = 0; c < grid->columns; c++) {
    const struct shk_block_entry *const entry = &shk_blocks[grid->blocks[c]];
    add_slopes(&chart, grid, c);
    if (grid->columns > 1) {
      shk_chart_words(&chart, shk_phrase("title_%d", c + 1).text, entry->figure, entry->latex);
      add_orders(&chart, grid, c);
    }
  }
  fill_legend(&chart, grid);
  return shk_drawing_draw(drawing, &chart);
}

static bool draw(struct shk_drawing *drawing, int group)
{
  const enum shk_columns asked = drawing->asked ? drawing->asked->columns : SHK_COLUMNS_DEFAULT;
  const struct grid overview = grid_of(drawing, group, 0, SIDE_BY_SIDE);
  const bool summed_up = overview.columns >= 2 && asked != SHK_COLUMNS_SINGLE,
             alone = asked == SHK_COLUMNS_DOUBLE;
  for (int b = 0; b < BLOCKS; b++) {
    const struct grid grid = grid_of(drawing, group, b, 1);
    if (grid.columns == 0)
      continue;
    if ((drawing->sparing || alone) && (summed_up || b > 0))
      drawing->passed_over = drawing->passed_over || !alone;
    else if (!draw_grid(drawing, &grid, shk_blocks[blocks[b]].name))
      return false;
  }
  return !summed_up || draw_grid(drawing, &overview, NULL);
}

const struct shk_figure_kind shk_figure_kind_order = {
    .shows = "errors against the step, with the fitted orders; for members the worst, bars down "
             "to the best; filled marks: the most accurate precision; small marks: not fitted; "
             "grey: reference error and round-off",
    .measure = "order",
    .of_group = draw};
