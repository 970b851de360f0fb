/*
 * Error against the step: one figure for each block, and one with q, p and the multipliers side by
 * side. The fitted orders are printed below the panels. Precisions that agree share one text. No
 * order is printed for a block in which the method claims not to converge.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>

static const enum shk_block_id blocks[] = {SHK_BLOCK_Q,
                                           SHK_BLOCK_P,
                                           SHK_BLOCK_LAMBDA,
                                           SHK_BLOCK_LAMBDA_MEAN,
                                           SHK_BLOCK_LAMBDA_SUM,
                                           SHK_BLOCK_MU,
                                           SHK_BLOCK_LAMBDA_STATE,
                                           SHK_BLOCK_WRENCH,
                                           SHK_BLOCK_WRENCH_MEAN,
                                           SHK_BLOCK_WRENCH_STATE,
                                           SHK_BLOCK_ENERGY};
enum { BLOCKS = sizeof blocks / sizeof *blocks, SIDE_BY_SIDE = 4, MOST_ORDER = 20 };

/* Contents of a figure: a panel for each block, each with all the precisions. */
struct grid {
  const struct shk_drawing *drawing;
  int group, precision_count, columns;
  const char *precisions[SHK_PRECISIONS];
  enum shk_block_id blocks[SIDE_BY_SIDE];
};

/* Returns the curve of a method against the step; NULL if there is nothing to draw. */
static const struct shk_curve *curve_of(const struct grid *grid, enum shk_block_id block,
                                        const char *precision, int method)
{
  const struct shk_curve *const curve =
      shk_drawing_curve(grid->drawing, grid->group, block, precision, method);
  return curve && !curve->against_tolerance ? curve : NULL;
}

/* The curve in the most accurate precision. */
static const struct shk_curve *finest_of(const struct grid *grid, enum shk_block_id block,
                                         int method)
{
  return curve_of(grid, block, grid->precisions[grid->precision_count - 1], method);
}

/* Returns the grid of the blocks with data among `count` from `first` on. */
static struct grid grid_of(const struct shk_drawing *drawing, int group, int first, int count)
{
  struct grid grid = {.drawing = drawing, .group = group};
  bool in_block[BLOCKS] = {false}, in_precision[SHK_PRECISIONS] = {false};
  for (int b = first; b < first + count; b++)
    for (int p = 0; shk_precision_names[p]; p++)
      for (int m = 0; m < drawing->methods.count; m++)
        if (curve_of(&grid, blocks[b], shk_precision_names[p], m))
          in_block[b] = in_precision[p] = true;
  for (int p = 0; shk_precision_names[p]; p++)
    if (in_precision[p])
      grid.precisions[grid.precision_count++] = shk_precision_names[p];
  for (int b = first; b < first + count; b++)
    if (in_block[b])
      grid.blocks[grid.columns++] = blocks[b];
  return grid;
}

/* ---- the fitted orders ---- */

/* Returns the text of an order, "2.000 ± 0.003", to the first digit of the half-width, one to three
 * decimals; "round-off" or "–" without a fit. */
static struct shk_phrase order_words(const struct shk_fit *fit)
{
  if (!fit->determined)
    return shk_phrase("%s", fit->exact ? "round-off" : "–");
  const int digit =
      fit->half_width > 0 && isfinite(fit->half_width) ? -(int)floor(log10(fit->half_width)) : 3;
  const int decimals = digit < 1 ? 1 : digit > 3 ? 3 : digit;
  const double unit = pow(10, -decimals),
               half = fmax(unit, ceil(fit->half_width / unit - 1e-9) * unit),
               order = fabs(fit->order) < unit / 2 ? 0 : fit->order; /* no "-0.000" */
  return shk_phrase("%s%.*f ± %.*f", order < 0 ? "−" : "", decimals, fabs(order), decimals, half);
}

/* Returns the orders of all precisions in one text: that of the most accurate fit, and those that
 * contradict it. Empty if the method claims not to converge, in this block or in q. */
static struct shk_phrase orders_words(const struct grid *grid, enum shk_block_id block, int method)
{
  const struct shk_curve *best = NULL, *const q = finest_of(grid, SHK_BLOCK_Q, method);
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
    if (curve && curve->fit.determined &&
        fabs(curve->fit.order - best->fit.order) > curve->fit.half_width + best->fit.half_width)
      words =
          shk_phrase("%.90s, %s %s", words.text, curve->precision, order_words(&curve->fit).text);
  }
  return words;
}

/* ---- data ---- */

/* Writes a curve as a block, named by the fitted orders in the most accurate precision and by its
 * method in the others. True if the points have members. */
static bool write_curve(struct shk_chart *chart, const struct grid *grid, int panel,
                        const char *precision, int method)
{
  const enum shk_block_id block = grid->blocks[panel];
  const struct shk_curve *const curve = curve_of(grid, block, precision, method);
  const bool finest = precision == grid->precisions[grid->precision_count - 1];
  bool members = false;
  shk_chart_block(chart,
                  finest ? orders_words(grid, block, method).text : grid->drawing->shown[method],
                  "%s, %s: step, error, in the fit, reference error and round-off, error of the "
                  "best member; %s",
                  shk_blocks[block].name, precision, grid->drawing->methods.texts[method]);
  for (int i = 0; curve && i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double floor =
        point->floor + (isnan(point->reference_error) ? 0 : point->reference_error);
    SHK_CHART_ROW(chart, point->step, point->error > 0 ? point->error : (double)NAN,
                  point->in_window, floor > 0 ? floor : (double)NAN,
                  point->members.count > 0 ? point->members.least : (double)NAN);
    members = members || point->members.count > 0;
  }
  return members;
}

/* Lists the claimed orders p, each with the factor c of the line c h^p that touches from below the
 * fitted points of all curves with that claim. */
static void add_slopes(struct shk_chart *chart, const struct grid *grid, int column)
{
  for (int p = 1; p <= MOST_ORDER; p++) {
    double least = INFINITY;
    for (int i = 0; i < chart->method_count; i++) {
      const struct shk_curve *const finest =
          finest_of(grid, grid->blocks[column], chart->methods[i]);
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

/* ---- figures ---- */

static bool draw_grid(struct shk_drawing *drawing, const struct grid *grid, const char *block)
{
  const bool energy = grid->blocks[0] == SHK_BLOCK_ENERGY;
  const char *const finest = grid->precisions[grid->precision_count - 1];
  bool members = false;
  struct shk_chart chart;
  shk_drawing_chart(drawing, &chart, grid->group, false, "");
  if (block)
    shk_append_text(&chart.name, "-%s", block);
  shk_drawing_width(drawing, &chart, grid->columns);
  for (int m = 0; m < drawing->methods.count; m++)
    for (int k = 0; k < grid->columns * grid->precision_count; k++)
      if (curve_of(grid, grid->blocks[k / grid->precision_count],
                   grid->precisions[k % grid->precision_count], m)) {
        shk_chart_method(&chart, m, drawing->styles[m]);
        break;
      }
  for (int c = 0; c < grid->columns; c++) {
    const struct shk_block_entry *const entry = &shk_blocks[grid->blocks[c]];
    for (int p = 0; p < grid->precision_count; p++)
      for (int i = 0; i < chart.method_count; i++)
        members = write_curve(&chart, grid, c, grid->precisions[p], chart.methods[i]) || members;
    add_slopes(&chart, grid, c);
    shk_chart_words(&chart, shk_phrase("title_%d", c + 1).text, entry->figure, entry->latex);
  }
  for (int i = 0; i < chart.method_count; i++)
    shk_chart_legend(&chart, i + 1, drawing->shown[chart.methods[i]],
                     grid->columns == 1 ? orders_words(grid, grid->blocks[0], chart.methods[i]).text
                                        : "");
  shk_chart_set(&chart, "panels", grid->columns);
  shk_chart_set(&chart, "precisions", grid->precision_count);
  shk_chart_set(&chart, "relative", !energy);
  shk_chart_set(&chart, "members", members);
  if (grid->columns > 1)
    shk_chart_words(&chart, "error", "max error (relative)", "max error (relative)");
  else
    shk_chart_quantity(&chart, "error", energy ? SHK_QUANTITY_ENERGY_MAX : SHK_QUANTITY_ERROR,
                       energy ? SHK_BLOCKS : grid->blocks[0]);
  if (grid->precision_count == 1)
    shk_chart_head(&chart, ", %s", finest);
  else
    shk_chart_note(&chart, "open marks: %s%s, filled: %s", grid->precisions[0],
                   grid->precision_count > 2 ? " and double" : "", finest);
  shk_chart_note(&chart, "±: half-width of the fitted order");
  return shk_drawing_draw(drawing, &chart);
}

static bool draw_order(struct shk_drawing *drawing, int group, const char *precision)
{
  const enum shk_columns asked = drawing->asked ? drawing->asked->columns : SHK_COLUMNS_DEFAULT;
  const struct grid overview = grid_of(drawing, group, 0, SIDE_BY_SIDE);
  const bool summed_up = overview.columns >= 2 && asked != SHK_COLUMNS_SINGLE,
             alone = asked == SHK_COLUMNS_DOUBLE;
  (void)precision;
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
    .of_group = true,
    .draw = draw_order};
