/*
 * Error against the step. One figure for each block with a panel for each precision, and one with
 * q, p and the multipliers side by side.
 *
 * Filled marks took part in the fit of the order, open ones did not. Cells that failed leave a gap
 * in the line. The grey area is where errors are below the reference's own error and the round-off
 * floor. Grey lines beside the curves have the slopes that are claimed. The key gives the fitted
 * orders with their half-widths; a dash where the data decide none.
 */
#include "foundation/memory.h"
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

/* What the panels of a figure show: a grid of blocks and precisions. */
struct grid {
  int rows, columns;
  const char *precisions[4];
  enum shk_block_id blocks[4];
};

/* ---- ranges ---- */

/* Of steps over the whole figure, of errors over a row. */
static void measure(const struct shk_drawing *drawing, int group, const struct grid *grid, int row,
                    struct shk_extent *steps, struct shk_extent *errors)
{
  for (int c = 0; c < grid->columns; c++)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *curve =
          find_curve(drawing, group, grid->blocks[c], grid->precisions[row], m);
      for (int i = 0; curve && i < curve->count; i++) {
        shk_extent_add(steps, curve->points[i].step);
        shk_extent_add(errors, curve->points[i].error);
        if (curve->points[i].members.count > 0)
          shk_extent_add(errors, curve->points[i].members.least);
      }
    }
  /* A relative error above 10 says only that the step was too long; it must not flatten the rest.
   */
  if (grid->blocks[0] != SHK_BLOCK_ENERGY && errors->low < 1)
    errors->high = fmin(errors->high, 10);
}

/* ---- a panel ---- */

static void add_floor(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                      enum shk_block_id block, const char *precision, struct shk_panel *panel)
{
  /* By step, the highest of the methods'. */
  int count = 0;
  struct floor {
    double step, error;
  } *floors = NULL;
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_curve *curve = find_curve(drawing, group, block, precision, m);
    for (int i = 0; curve && i < curve->count; i++) {
      const struct shk_point *point = &curve->points[i];
      const double error =
          point->floor + (isnan(point->reference_error) ? 0 : point->reference_error);
      int at = 0;
      while (at < count && floors[at].step < point->step)
        at++;
      if (!(point->step > 0) || !(error > 0) || !isfinite(error))
        continue;
      if (at < count && floors[at].step == point->step) {
        floors[at].error = fmax(floors[at].error, error);
        continue;
      }
      floors = shk_grow(floors, (size_t)count, sizeof *floors);
      memmove(floors + at + 1, floors + at, (size_t)(count - at) * sizeof *floors);
      floors[at] = (struct floor){point->step, error};
      count++;
    }
  }
  double highest = 0;
  for (int i = 0; i < count; i++)
    highest = fmax(highest, floors[i].error);
  if (highest > panel->y.low) {
    const int index =
        shk_figure_block(figure, "%s, %s: step, reference error + round-off floor, ends extended",
                         shk_blocks[block].name, precision);
    for (int i = -1; i <= count; i++) {
      const struct floor *from = &floors[i < 0 ? 0 : i == count ? count - 1 : i];
      fprintf(figure->data, "%.9g\t%.3g\n",
              i < 0        ? panel->x.low
              : i == count ? panel->x.high
                           : from->step,
              from->error);
    }
    shk_panel_layer(panel,
                    "index %d using 1:($2>%.6g?$2:%.6g) with filledcurves y1=%.6g "
                    "fillcolor rgb '#dddddd' fillstyle solid noborder",
                    index, panel->y.low, panel->y.low, panel->y.low);
  }
  free(floors);
}

/* ---- guides: short lines of the slopes that are claimed, beside the curves that claim them ---- */

/* A panel in logarithms: its lower left corner and its size. */
struct frame {
  double left, bottom, wide, tall;
};

static struct frame frame_of(const struct shk_panel *panel)
{
  return (struct frame){log10(panel->x.low), log10(panel->y.low),
                        log10(panel->x.high / panel->x.low), log10(panel->y.high / panel->y.low)};
}

/* Where the curve is at this step, both in logarithms; NaN beside its ends and where it has a gap. */
static double height_at(const struct shk_curve *curve, double x)
{
  for (int i = 0; i + 1 < curve->count; i++) {
    const struct shk_point *a = &curve->points[i], *b = &curve->points[i + 1];
    const double xa = log10(a->step), xb = log10(b->step);
    if (a->error > 0 && b->error > 0 && xa != xb && (x - xa) * (x - xb) <= 0)
      return log10(a->error) + (x - xa) / (xb - xa) * log10(b->error / a->error);
  }
  return NAN;
}

/* How far a line of this slope about (x, y), with its label at the right, keeps from all curves; negative
 * where it leaves the panel. */
static double clearance(const struct shk_curve *const *curves, int count, const struct frame *frame,
                        double x, double y, int order)
{
  static const double along[] = {-0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2}; /* of the width */
  double least = INFINITY;
  for (size_t i = 0; i < sizeof along / sizeof along[0]; i++) {
    const double at = x + along[i] * frame->wide,
                 line = y + order * fmin(along[i], 0.1) * frame->wide;
    if (line < frame->bottom + 0.04 * frame->tall || line > frame->bottom + 0.96 * frame->tall ||
        at < frame->left || at > frame->left + frame->wide)
      return -1;
    for (int k = 0; k < count; k++) {
      const double curve = height_at(curves[k], at);
      if (!isnan(curve))
        least = fmin(least, fabs(curve - line));
    }
  }
  return least;
}

/* The place nearest to one of the curves that claim the order, with room for the line; false: none. */
static bool place_guide(double *x, double *y, const struct shk_curve *const *curves, int count,
                        const struct frame *frame, int order)
{
  static const double beside[] = {-0.09, 0.09, -0.16, 0.16, -0.24, 0.24}; /* of the height */
  static const double across[] = {0.5, 0.35, 0.65, 0.25};                 /* of the width */
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
    for (int k = 0; k < count; k++)
      for (size_t j = 0; j < sizeof across / sizeof across[0]; j++) {
        *x = frame->left + across[j] * frame->wide;
        *y = height_at(curves[k], *x) + beside[i] * frame->tall;
        if (curves[k]->claimed == order && !isnan(*y) &&
            clearance(curves, count, frame, *x, *y, order) >= 0.06 * frame->tall)
          return true;
      }
  return false;
}

static void add_guide(struct shk_figure *figure, const struct shk_curve *of,
                      const struct frame *frame, struct shk_panel *panel, double x, double y,
                      int order)
{
  const double half = 0.1 * frame->wide;
  const int index = shk_figure_block(figure, "%s, %s: slope %d", shk_blocks[of->block].name,
                                     of->precision, order);
  fprintf(figure->data, "%.6g\t%.6g\n%.6g\t%.6g\n", pow(10, x - half), pow(10, y - order * half),
          pow(10, x + half), pow(10, y + order * half));
  shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 1 linecolor rgb '#808080'",
                  index);
  shk_panel_mark(panel, pow(10, x + half + 0.015 * frame->wide), pow(10, y + order * half),
                 order == 1 ? shk_label("{/:Italic h}", "$h$")
                            : shk_label_print("{/:Italic h}^{%d}", "$h^{%d}$", order));
}

static void add_guides(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                       enum shk_block_id block, const char *precision, struct shk_panel *panel)
{
  enum { MOST = 20 };
  const struct frame frame = frame_of(panel);
  const struct shk_curve **curves = shk_allocate((size_t)drawing->method_count + 1, sizeof *curves);
  int count = 0;
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_curve *curve = find_curve(drawing, group, block, precision, m);
    if (curve)
      curves[count++] = curve;
  }
  for (int order = 1; order <= MOST; order++) {
    double x, y;
    if (place_guide(&x, &y, curves, count, &frame, order))
      add_guide(figure, curves[0], &frame, panel, x, y, order);
  }
  free(curves);
}

/* Bars from the best member to the worst, whose errors are the points. */
static void add_members(const struct shk_drawing *drawing, struct shk_figure *figure,
                        const struct shk_curve *curve, int method, struct shk_panel *panel)
{
  int count = 0;
  for (int i = 0; i < curve->count; i++)
    count += curve->points[i].members.least > 0;
  if (count == 0)
    return;
  const int index =
      shk_figure_block(figure, "%s, %s, %s: step, error of the best lane and the worst",
                       shk_blocks[curve->block].name, curve->precision, drawing->methods[method]);
  for (int i = 0; i < curve->count; i++) {
    const struct shk_member_statistics *members = &curve->points[i].members;
    const double row[] = {curve->points[i].step, members->least, members->largest};
    if (members->least > 0 && isfinite(members->largest)) {
      shk_figure_row(figure, row, 3);
    }
  }
  shk_panel_layer(panel,
                  "index %d using 1:2:(0):($3-$2) with vectors nohead linestyle %d dashtype solid",
                  index, method + 1);
}

static void add_curve(const struct shk_drawing *drawing, struct shk_figure *figure,
                      const struct shk_curve *curve, int method, struct shk_panel *panel)
{
  const int index = shk_figure_block(
      figure, "%s, %s, %s: step, error, in the fit, reference error, floor, status",
      shk_blocks[curve->block].name, curve->precision, drawing->methods[method]);
  int finished = 0;
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i];
    const double row[] = {point->step, point->error > 0 ? point->error : NAN, point->in_window,
                          point->reference_error, point->floor};
    shk_print_numbers(figure->data, row, 5);
    fprintf(figure->data, "\t%s\n", shk_record_status(point->record));
    finished += point->error > 0 && isfinite(point->error);
  }
  add_members(drawing, figure, curve, method, panel);
  const int mark = shk_method_mark(method);
  if (finished > 1)
    shk_panel_layer(panel, "index %d using 1:2 with lines linestyle %d", index, method + 1);
  shk_panel_layer(panel,
                  "index %d using 1:($3>0?NaN:$2) with points linestyle %d linecolor rgb 'white'",
                  index, method + 1);
  shk_panel_layer(panel, "index %d using 1:($3>0?NaN:$2) with points linestyle %d pointtype %d",
                  index, method + 1, mark - 1);
  shk_panel_layer(panel, "index %d using 1:($3>0?$2:NaN) with points linestyle %d", index,
                  method + 1);
}

/* ---- the key ---- */

/* "2.000 ± 0.003": as many decimals as the half-width has to its first digit, at most three. */
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

static struct shk_label short_name(enum shk_block_id block)
{
  return shk_label(shk_blocks[block].text, shk_blocks[block].latex);
}

static bool is_drawn(const struct shk_drawing *drawing, int group, const struct grid *grid,
                     int method)
{
  for (int r = 0; r < grid->rows; r++)
    for (int c = 0; c < grid->columns; c++)
      if (find_curve(drawing, group, grid->blocks[c], grid->precisions[r], method))
        return true;
  return false;
}

/* Orders beside each name. With blocks side by side a line for each precision; otherwise the
 * precisions are side by side. */
static void fill_key(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                     const struct grid *grid)
{
  const bool wide = grid->columns > 1;
  const int columns = wide ? grid->columns : grid->rows, lines = wide ? grid->rows : 1;
  const double values = figure->width - 0.1 - columns * SHK_KEY_VALUE;
  const double tag = lines > 1 ? 1.2 : 0;
  const int head = shk_drawing_head(figure, values - tag);
  for (int c = 0; c < columns; c++) {
    const struct shk_label name =
        wide ? short_name(grid->blocks[c]) : shk_label_words(grid->precisions[c]);
    struct shk_label label;
    snprintf(label.plain, sizeof label.plain, wide ? "order of %.40s" : "order, %.40s", name.plain);
    snprintf(label.latex, sizeof label.latex, wide ? "order of %.40s" : "order, %.40s", name.latex);
    shk_key_value(figure, head, values + c * SHK_KEY_VALUE, label);
  }
  for (int m = 0; m < drawing->method_count; m++) {
    if (!is_drawn(drawing, group, grid, m))
      continue;
    const int first =
        shk_key_sample(figure, m, drawing->methods[m], values - tag - SHK_KEY_NAMES - 0.1);
    while (figure->key_lines < first + lines)
      figure->key_lines++;
    for (int l = 0; l < lines; l++) {
      bool tagged = lines == 1;
      for (int c = 0; c < columns; c++) {
        const struct shk_curve *curve = find_curve(drawing, group, grid->blocks[wide ? c : 0],
                                                   grid->precisions[wide ? l : c], m);
        if (!curve)
          continue;
        if (!tagged)
          shk_key_value(figure, first + l, values - tag, shk_label_words(grid->precisions[l]));
        tagged = true;
        shk_key_value(figure, first + l, values + c * SHK_KEY_VALUE, order_label(&curve->fit));
      }
    }
  }
}

/* ---- figures ---- */

static bool draw_grid(struct shk_drawing *drawing, int group, const struct grid *grid,
                      const char *block)
{
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, block, NULL, grid->rows, grid->columns);
  struct shk_extent steps = shk_extent_of_nothing, ranges[4];
  for (int r = 0; r < grid->rows; r++) {
    ranges[r] = shk_extent_of_nothing;
    measure(drawing, group, grid, r, &steps, &ranges[r]);
  }
  for (int r = 0; r < grid->rows; r++)
    for (int c = 0; c < grid->columns; c++) {
      struct shk_panel *panel = shk_figure_panel(&figure, r, c);
      shk_axis_range(&panel->x, steps.low, steps.high, 1.35);
      shk_axis_range(&panel->y, ranges[r].low, ranges[r].high, 4);
      if (r == grid->rows - 1)
        panel->x.label = shk_label("step {/:Italic h}", "step $h$");
      const char *precision = grid->precisions[r];
      if (grid->columns == 1) {
        panel->y.label = shk_error_label(grid->blocks[0], drawing->groups[group].energy_unit);
        panel->title = shk_label_words(precision);
      } else {
        const struct shk_label name = short_name(grid->blocks[c]);
        if (c == 0)
          panel->y.label = shk_label_words("max error (relative)");
        snprintf(panel->title.plain, sizeof panel->title.plain, "%.40s, %s", name.plain, precision);
        snprintf(panel->title.latex, sizeof panel->title.latex, "%.40s, %s", name.latex, precision);
      }
      add_floor(drawing, &figure, group, grid->blocks[c], precision, panel);
      add_guides(drawing, &figure, group, grid->blocks[c], precision, panel);
      for (int m = 0; m < drawing->method_count; m++) {
        const struct shk_curve *curve = find_curve(drawing, group, grid->blocks[c], precision, m);
        if (curve)
          add_curve(drawing, &figure, curve, m, panel);
      }
    }
  fill_key(drawing, &figure, group, grid);
  return shk_drawing_finish(drawing, &figure);
}

/* The grid of one block; without rows if nothing is known of it. */
static struct grid grid_of(const struct shk_drawing *drawing, int group, enum shk_block_id block)
{
  struct grid grid = {.columns = 1, .blocks = {block}};
  for (int i = 0; shk_drawn_precisions[i]; i++)
    if (has_block(drawing, group, block, shk_drawn_precisions[i]))
      grid.precisions[grid.rows++] = shk_drawn_precisions[i];
  return grid;
}

/* Positions, momenta and multipliers side by side; of precisions, where one is enough, the last, in
 * which there is more to see. */
static struct grid overview_of(const struct shk_drawing *drawing, int group)
{
  static const enum shk_block_id blocks[] = {SHK_BLOCK_Q, SHK_BLOCK_P, SHK_BLOCK_LAMBDA,
                                             SHK_BLOCK_LAMBDA_MEAN};
  struct grid overview = {0};
  for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
    if (grid_of(drawing, group, blocks[b]).rows > 0)
      overview.blocks[overview.columns++] = blocks[b];
  for (int i = 0; shk_drawn_precisions[i]; i++)
    for (int c = 0; c < overview.columns; c++)
      if (has_block(drawing, group, overview.blocks[c], shk_drawn_precisions[i])) {
        overview.precisions[overview.rows++] = shk_drawn_precisions[i];
        break;
      }
  if (drawing->sparing && overview.rows > 1) {
    overview.precisions[0] = overview.precisions[overview.rows - 1];
    overview.rows = 1;
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
  for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
    const struct grid grid = grid_of(drawing, group, blocks[b]);
    if (grid.rows == 0)
      continue;
    if (drawing->sparing && (summed_up || b > 0)) {
      drawing->passed_over = true;
      continue;
    }
    if (!draw_grid(drawing, group, &grid, shk_blocks[blocks[b]].name))
      return false;
  }
  return !summed_up || draw_grid(drawing, group, &overview, NULL);
}

const struct shk_figure_kind shk_figure_kind_order = {
    .shows = "errors against the step, with the fitted orders; over lanes the worst, with bars "
             "down to the best; filled marks took part in the fit; the grey area is reference "
             "error and round-off",
    .measure = "order",
    .of_group = draw};
