/*
 * Error against the step: one figure for each block, and one with q, p and the multipliers side by
 * side. The fitted orders are printed below the panels. Precisions that agree share one text; a
 * block in which a method claims not to converge has none.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The curve of a method; NULL if there is nothing to draw. */
static const struct shk_curve *find_curve(const struct shk_drawing *drawing, int group,
                                          enum shk_block_id block, const char *precision,
                                          int method)
{
  for (int i = 0; i < drawing->groups[group].curve_count; i++) {
    const struct shk_curve *curve = drawing->groups[group].curves[i];
    if (curve->against_tolerance || curve->block != block ||
        strcmp(curve->precision, precision) != 0 ||
        strcmp(curve->integrator, drawing->methods[method]) != 0)
      continue;
    for (int j = 0; j < curve->count; j++)
      if (curve->points[j].step > 0 && curve->points[j].error > 0 &&
          isfinite(curve->points[j].error))
        return curve;
  }
  return NULL;
}

static bool has_block(const struct shk_drawing *drawing, int group, enum shk_block_id block,
                      const char *precision)
{
  for (int m = 0; m < drawing->method_count; m++)
    if (find_curve(drawing, group, block, precision, m))
      return true;
  return false;
}

/* Contents of a figure: a panel for each block, each with all the precisions. */
struct grid {
  int precision_count, columns;
  const char *precisions[SHK_PRECISIONS];
  enum shk_block_id blocks[4];
};

static bool is_drawn(const struct shk_drawing *drawing, int group, const struct grid *grid,
                     int method)
{
  for (int k = 0; k < grid->columns * grid->precision_count; k++)
    if (find_curve(drawing, group, grid->blocks[k % grid->columns],
                   grid->precisions[k / grid->columns], method))
      return true;
  return false;
}

/* ---- ranges ---- */

static void measure(const struct shk_drawing *drawing, int group, const struct grid *grid,
                    struct shk_extent *steps, struct shk_extent *errors)
{
  for (int k = 0; k < grid->columns * grid->precision_count; k++)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *curve = find_curve(drawing, group, grid->blocks[k % grid->columns],
                                                 grid->precisions[k / grid->columns], m);
      for (int i = 0; curve && i < curve->count; i++) {
        shk_extent_add(steps, curve->points[i].step);
        shk_extent_add(errors, curve->points[i].error);
        if (curve->points[i].members.count > 0)
          shk_extent_add(errors, curve->points[i].members.least);
      }
    }
  /* A relative error above 10 shows only that the step was too long; it must not compress the rest
   * of the plot. */
  if (grid->blocks[0] != SHK_BLOCK_ENERGY && errors->low < 1)
    errors->high = fmin(errors->high, 10);
}

/* ---- a panel ---- */

/* Text of an order, "2.000 ± 0.003": decimals up to the first digit of the half-width, at most
 * three. */
static struct shk_label order_label(const struct shk_fit *fit)
{
  if (!fit->determined)
    return fit->exact ? shk_label_words("round-off") : shk_label("–", "--");
  int decimals = 3;
  if (fit->half_width > 0 && isfinite(fit->half_width)) {
    decimals = -(int)floor(log10(fit->half_width));
    decimals = decimals < 1 ? 1 : decimals > 3 ? 3 : decimals;
  }
  const double unit = pow(10, -decimals),
               half = fmax(unit, ceil(fit->half_width / unit - 1e-9) * unit),
               order = fabs(fit->order) < unit / 2 ? 0 : fit->order; /* no "-0.000" */
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%s%.*f ± %.*f", order < 0 ? "−" : "", decimals,
           fabs(order), decimals, half);
  snprintf(label.latex, sizeof label.latex, "$%.*f\\pm%.*f$", decimals, order, decimals, half);
  return label;
}

/* The orders of all precisions in one text: that of the most accurate fit, and those that
 * contradict it. Empty if the method claims not to converge, in this block or in q. */
static struct shk_label orders_label(const struct shk_drawing *drawing, int group,
                                     const struct grid *grid, enum shk_block_id block, int method)
{
  const struct shk_curve *best = NULL;
  struct shk_label label = shk_label_words("");
  const struct shk_curve *const q =
      find_curve(drawing, group, SHK_BLOCK_Q, grid->precisions[grid->precision_count - 1], method);
  if (q && q->claimed == 0)
    return label;
  for (int p = grid->precision_count - 1; p >= 0; p--) {
    const struct shk_curve *curve = find_curve(drawing, group, block, grid->precisions[p], method);
    if (curve && curve->claimed != 0 && (curve->fit.determined || curve->fit.exact) &&
        (!best || (curve->fit.determined && best->fit.determined &&
                   curve->fit.half_width < best->fit.half_width)))
      best = curve;
  }
  if (best)
    label = order_label(&best->fit);
  for (int p = 0; best && best->fit.determined && p < grid->precision_count; p++) {
    const struct shk_curve *curve = find_curve(drawing, group, block, grid->precisions[p], method);
    if (!curve || curve == best || !curve->fit.determined ||
        fabs(curve->fit.order - best->fit.order) <= curve->fit.half_width + best->fit.half_width)
      continue;
    const struct shk_label before = label, other = order_label(&curve->fit);
    snprintf(label.plain, sizeof label.plain, "%.60s, %.9s %.60s", before.plain, curve->precision,
             other.plain);
    snprintf(label.latex, sizeof label.latex, "%.60s, %.9s %.60s", before.latex, curve->precision,
             other.latex);
  }
  return label;
}

static void add_curve(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                      const struct shk_curve *curve, const struct shk_label *label)
{
  if (!curve) {
    shk_chart_gap(chart);
    return;
  }
  shk_chart_block(chart, drawing->shown[method], label,
                  "%s, %s: step, error, in the fit, reference error and round-off, error of the "
                  "best member",
                  shk_blocks[curve->block].name, curve->precision);
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double reference = isnan(point->reference_error) ? 0 : point->reference_error;
    if (point->record && !shk_record_finished(point->record))
      fprintf(chart->data, "# step %.9g: %s\n", point->step, shk_record_status(point->record));
    SHK_CHART_ROW(chart, point->step, point->error > 0 ? point->error : NAN, point->in_window,
                  point->floor + reference > 0 ? point->floor + reference : NAN,
                  point->members.count > 0 ? point->members.least : NAN);
  }
}

/* The claimed orders p, each with the factor c of the line c h^p that touches the curves with that
 * claim from below. */
static char *slopes_of(const struct shk_drawing *drawing, int group, const struct grid *grid,
                       enum shk_block_id block)
{
  enum { MOST = 20 };
  double factors[MOST + 1] = {0};
  char *list = NULL;
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_curve *curve =
        find_curve(drawing, group, block, grid->precisions[grid->precision_count - 1], m);
    for (int i = 0; curve && curve->claimed > 0 && curve->claimed <= MOST && i < curve->count;
         i++) {
      const struct shk_point *point = &curve->points[i];
      const double factor = point->error / pow(point->step, curve->claimed);
      double *const least = &factors[curve->claimed];
      if (point->in_window && factor > 0 && (*least == 0 || factor < *least))
        *least = factor;
    }
  }
  for (int p = 1; p <= MOST; p++)
    if (factors[p] > 0) {
      shk_list_add(&list, p);
      shk_list_add(&list, factors[p]);
    }
  return list;
}

/* Writes the blocks of a panel: for each precision, the most accurate last, one for each method. */
static void add_panel(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                      const struct grid *grid, int column)
{
  const enum shk_block_id block = grid->blocks[column];
  char *told = NULL;
  for (int p = 0; p < grid->precision_count; p++)
    for (int i = 0; i < chart->method_count; i++) {
      const int m = chart->methods[i];
      const struct shk_label label = orders_label(drawing, group, grid, block, m);
      add_curve(drawing, chart, m, find_curve(drawing, group, block, grid->precisions[p], m),
                &label);
      if (p == 0 && label.plain[0])
        shk_list_add(&told, i + 1);
    }
  shk_chart_set_nth(chart, "told", column + 1, told);
  shk_chart_set_nth(chart, "slopes", column + 1, slopes_of(drawing, group, grid, block));
}

/* ---- figures ---- */

static void fill_legend(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                        const struct grid *grid)
{
  bool any = false;
  for (int i = 0; i < chart->method_count; i++) {
    const int m = chart->methods[i];
    struct shk_label label = shk_label_words("");
    for (int c = 0; c < grid->columns; c++) {
      label = orders_label(drawing, group, grid, grid->blocks[c], m);
      any = any || label.plain[0];
    }
    shk_chart_legend(chart, i + 1, drawing->shown[m], grid->columns == 1 ? &label : NULL);
  }
  if (grid->precision_count > 1)
    shk_chart_note(chart, shk_label_print("open marks: %s%s, filled: %s",
                                          "open marks: %s%s, filled: %s", grid->precisions[0],
                                          grid->precision_count > 2 ? " and double" : "",
                                          grid->precisions[grid->precision_count - 1]));
  if (any)
    shk_chart_note(chart, shk_label("±: half-width of the fitted order",
                                    "$\\pm$: half-width of the fitted order"));
}

static bool draw_grid(struct shk_drawing *drawing, int group, const struct grid *grid,
                      const char *block)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  struct shk_chart chart;
  shk_drawing_chart(drawing, &chart, group, block, NULL);
  shk_drawing_width(drawing, &chart, widths[grid->columns < 3 ? grid->columns - 1 : 2]);
  if (grid->precision_count == 1)
    shk_chart_head(&chart, ", ", grid->precisions[0]);
  struct shk_extent steps = shk_extent_of_nothing, errors = shk_extent_of_nothing;
  measure(drawing, group, grid, &steps, &errors);
  for (int m = 0; m < drawing->method_count; m++)
    if (is_drawn(drawing, group, grid, m))
      shk_chart_method(&chart, m, drawing->styles[m]);
  shk_chart_set(&chart, "panels", grid->columns);
  shk_chart_set(&chart, "precisions", grid->precision_count);
  shk_chart_set(&chart, "least", steps.low);
  shk_chart_set(&chart, "largest", steps.high);
  shk_chart_set(&chart, "low", errors.low);
  shk_chart_set(&chart, "high", errors.high);
  shk_chart_set_label(&chart, "error",
                      grid->columns > 1
                          ? shk_label_words("max error (relative)")
                          : shk_error_label(grid->blocks[0], drawing->groups[group].energy_unit));
  for (int c = 0; c < grid->columns; c++) {
    const struct shk_block_entry *const entry = &shk_blocks[grid->blocks[c]];
    if (grid->columns > 1)
      shk_chart_set_nth_label(&chart, "title", c + 1, shk_label(entry->figure, entry->latex));
    add_panel(drawing, &chart, group, grid, c);
  }
  fill_legend(drawing, &chart, group, grid);
  return shk_drawing_draw(drawing, &chart);
}

/* The grid of one block; without precisions if there are no data. */
static struct grid grid_of(const struct shk_drawing *drawing, int group, enum shk_block_id block)
{
  struct grid grid = {.columns = 1, .blocks = {block}};
  for (int i = 0; shk_precision_names[i]; i++)
    if (has_block(drawing, group, block, shk_precision_names[i]))
      grid.precisions[grid.precision_count++] = shk_precision_names[i];
  return grid;
}

/* The grid with positions, momenta and multipliers side by side. */
static struct grid overview_of(const struct shk_drawing *drawing, int group)
{
  static const enum shk_block_id blocks[] = {SHK_BLOCK_Q, SHK_BLOCK_P, SHK_BLOCK_LAMBDA,
                                             SHK_BLOCK_LAMBDA_MEAN};
  struct grid overview = {0};
  for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
    if (grid_of(drawing, group, blocks[b]).precision_count > 0)
      overview.blocks[overview.columns++] = blocks[b];
  for (int i = 0; shk_precision_names[i]; i++)
    for (int c = 0; c < overview.columns; c++)
      if (has_block(drawing, group, overview.blocks[c], shk_precision_names[i])) {
        overview.precisions[overview.precision_count++] = shk_precision_names[i];
        break;
      }
  return overview;
}

static bool draw(struct shk_drawing *drawing, int group)
{
  static const enum shk_block_id blocks[] = {
      SHK_BLOCK_Q,          SHK_BLOCK_P,  SHK_BLOCK_LAMBDA,       SHK_BLOCK_LAMBDA_MEAN,
      SHK_BLOCK_LAMBDA_SUM, SHK_BLOCK_MU, SHK_BLOCK_LAMBDA_STATE, SHK_BLOCK_ENERGY};
  const struct grid overview = overview_of(drawing, group);
  const bool narrow = drawing->asked && drawing->asked->columns == SHK_COLUMNS_SINGLE;
  const bool summed_up = overview.columns >= 2 && !narrow;
  const bool alone = drawing->asked && drawing->asked->columns == SHK_COLUMNS_DOUBLE;
  for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
    const struct grid grid = grid_of(drawing, group, blocks[b]);
    if (grid.precision_count == 0)
      continue;
    if ((drawing->sparing || alone) && (summed_up || b > 0)) {
      drawing->passed_over = drawing->passed_over || !alone;
      continue;
    }
    if (!draw_grid(drawing, group, &grid, shk_blocks[blocks[b]].name))
      return false;
  }
  return !summed_up || draw_grid(drawing, group, &overview, NULL);
}

const struct shk_figure_kind shk_figure_kind_order = {
    .shows = "errors against the step, with the fitted orders; for members the worst, bars down "
             "to the best; filled marks: the most accurate precision; small marks: not fitted; "
             "grey: reference error and round-off",
    .measure = "order",
    .of_group = draw};
