/*
 * Error against the step. One figure for each block, and one with q, p and the multipliers side by
 * side.
 *
 * All precisions are in one panel: filled marks are the most accurate one's, open ones, a little
 * larger, those of the others, whose curves end at their own floors. Marks that took no part in the
 * fit of the order are small. Cells that failed leave a gap in the line. A grey area is where errors
 * are below the reference's own error and the round-off floor, the lighter ones of the others. Grey
 * lines beside the curves have the slopes that are claimed. The key gives the fitted orders with their
 * half-widths; a dash where the data decide none.
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

/* What a figure shows: a panel for each block, each with all the precisions. */
struct grid {
  int precision_count, columns;
  const char *precisions[SHK_PRECISIONS];
  enum shk_block_id blocks[4];
};

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
  /* A relative error above 10 says only that the step was too long; it must not flatten the rest.
   */
  if (grid->blocks[0] != SHK_BLOCK_ENERGY && errors->low < 1)
    errors->high = fmin(errors->high, 10);
}

/* ---- a panel ---- */

static void add_floor(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                      enum shk_block_id block, const char *precision, const char *colour,
                      struct shk_panel *panel)
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
                    "fillcolor rgb '%s' fillstyle solid noborder",
                    index, panel->y.low, panel->y.low, panel->y.low, colour);
  }
  free(floors);
}

/* ---- guides: short lines of the slopes that are claimed, beside the curves that claim them ---- */

/* A panel in logarithms: its lower left corner and its size; and the parts of it that a label
 * takes. */
struct frame {
  double left, bottom, wide, tall;
  double label_width, label_height;
};

static struct frame frame_of(const struct shk_figure *figure, const struct shk_panel *panel)
{
  return (struct frame){.left = log10(panel->x.low),
                        .bottom = log10(panel->y.low),
                        .wide = log10(panel->x.high / panel->x.low),
                        .tall = log10(panel->y.high / panel->y.low),
                        .label_width = 0.5 / shk_panel_width(figure),
                        .label_height = 0.16 / figure->panel_height};
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

static const double half_guide = 0.08; /* of the panel's width */

enum { MOST_GUIDES = 20, ALONG = 11 };

/* The places of a guide and its label, from end to end, in parts of the panel's width and height. */
struct guide {
  double x[ALONG], y[ALONG];
  bool label[ALONG];
};

static struct guide guide_at(const struct frame *frame, double x, double y, int order)
{
  struct guide guide;
  for (int i = 0; i < ALONG; i++) {
    const double along = -half_guide + (2 * half_guide + frame->label_width) * i / (ALONG - 1);
    guide.label[i] = along > half_guide;
    guide.x[i] = (x - frame->left) / frame->wide + along;
    guide.y[i] = (y - frame->bottom + order * fmin(along, half_guide) * frame->wide) / frame->tall;
  }
  return guide;
}

/* How far a point of a guide keeps from a curve, its marks included. */
static double distance(const struct shk_curve *curve, const struct frame *frame, double x, double y)
{
  const double line =
      (height_at(curve, frame->left + x * frame->wide) - frame->bottom) / frame->tall;
  double least = isnan(line) ? INFINITY : fabs(line - y);
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *const point = &curve->points[i];
    if (!(point->error > 0) || !(point->step > 0))
      continue;
    const double across = (log10(point->step) - frame->left) / frame->wide - x,
                 above = (log10(point->error) - frame->bottom) / frame->tall - y;
    if (fabs(across) < 0.4 * frame->label_width)
      least = fmin(least, fabs(above) - 0.5 * frame->label_height);
  }
  return least;
}

static bool meets(const struct guide *a, const struct guide *b, const struct frame *frame)
{
  for (int i = 0; i < ALONG; i++)
    for (int k = 0; k < ALONG; k++)
      if (fabs(a->x[i] - b->x[k]) < 0.6 * frame->label_width &&
          fabs(a->y[i] - b->y[k]) < (a->label[i] || b->label[k] ? 2 : 0.5) * frame->label_height)
        return true;
  return false;
}

/* How far a guide keeps from all curves; negative where it leaves the panel or meets another. */
static double clearance(const struct shk_curve *const *curves, int count, const struct frame *frame,
                        const struct guide *guide, const struct guide *others, int other_count)
{
  double least = INFINITY;
  for (int i = 0; i < ALONG; i++) {
    if (guide->x[i] < 0.01 || guide->x[i] > 0.99 || guide->y[i] < 0.04 || guide->y[i] > 0.94)
      return -1;
    for (int k = 0; k < count; k++)
      least = fmin(least, distance(curves[k], frame, guide->x[i], guide->y[i]) -
                              (guide->label[i] ? frame->label_height : 0));
  }
  for (int k = 0; k < other_count; k++)
    if (meets(guide, &others[k], frame))
      return -1;
  return least;
}

/* The place nearest to one of the curves that claim the order, with room for the line; where there is
 * none, with less room. False: none at all. */
static bool place_guide(double *x, double *y, const struct shk_curve *const *curves, int count,
                        const struct frame *frame, int order, struct guide *placed,
                        int placed_count)
{
  static const double beside[] = {-0.08, 0.08, -0.12, 0.12, -0.18, 0.18, -0.25, 0.25};
  static const double across[] = {0.5, 0.35, 0.65, 0.25, 0.8, 0.12}; /* of the width */
  static const double rooms[] = {0.05, 0.015};                       /* of the height */
  for (size_t r = 0; r < sizeof rooms / sizeof rooms[0]; r++)
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
      for (int k = 0; k < count; k++)
        for (size_t j = 0; j < sizeof across / sizeof across[0]; j++) {
          *x = frame->left + across[j] * frame->wide;
          *y = height_at(curves[k], *x) + beside[i] * frame->tall;
          if (curves[k]->claimed != order || isnan(*y))
            continue;
          placed[placed_count] = guide_at(frame, *x, *y, order);
          if (clearance(curves, count, frame, &placed[placed_count], placed, placed_count) >=
              rooms[r])
            return true;
        }
  return false;
}

static void add_guide(struct shk_figure *figure, const struct shk_curve *of,
                      const struct frame *frame, struct shk_panel *panel, double x, double y,
                      int order)
{
  const double half = half_guide * frame->wide;
  const int index = shk_figure_block(figure, "%s: slope %d", shk_blocks[of->block].name, order);
  fprintf(figure->data, "%.6g\t%.6g\n%.6g\t%.6g\n", pow(10, x - half), pow(10, y - order * half),
          pow(10, x + half), pow(10, y + order * half));
  shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 1 linecolor rgb '#808080'",
                  index);
  shk_panel_mark(panel, pow(10, x + half + 0.015 * frame->wide), pow(10, y + order * half),
                 order == 1 ? shk_label("{/:Italic h}", "$h$")
                            : shk_label_print("{/:Italic h}^{%d}", "$h^{%d}$", order));
}

static void add_guides(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                       enum shk_block_id block, const struct grid *grid, struct shk_panel *panel)
{
  struct guide placed[MOST_GUIDES];
  const struct frame frame = frame_of(figure, panel);
  const struct shk_curve **curves =
      shk_allocate((size_t)(drawing->method_count * grid->precision_count) + 1, sizeof *curves);
  int count = 0;
  /* The last precision goes furthest down: guides stand beside its curves. */
  for (int p = grid->precision_count - 1; p >= 0; p--)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *curve = find_curve(drawing, group, block, grid->precisions[p], m);
      if (curve)
        curves[count++] = curve;
    }
  for (int order = 1, placed_count = 0; order <= MOST_GUIDES; order++) {
    double x, y;
    if (place_guide(&x, &y, curves, count, &frame, order, placed, placed_count)) {
      add_guide(figure, curves[0], &frame, panel, x, y, order);
      placed_count++;
    }
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
      shk_figure_block(figure, "%s, %s, %s: step, error of the best member and the worst",
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

/* Marks: those that took part in the fit, and small ones of those that did not. An open mark is
 * white inside, so that no line is seen through it. */
static void add_marks(const struct shk_figure *figure, struct shk_panel *panel, int index,
                      int method, bool open)
{
  static const char *const points[] = {"($3>0?$2:NaN)", "($3>0?NaN:$2)"};
  const int mark = shk_method_mark(figure, method);
  for (int outside = 0; outside < 2; outside++) {
    const double size = (outside ? 0.55 : 1) * (open ? 1.35 : 1) * shk_method_size(figure, method);
    if (open)
      shk_panel_layer(panel,
                      "index %d using 1:%s with points linestyle %d pointtype %d pointsize %.2f "
                      "linecolor rgb 'white'",
                      index, points[outside], method + 1, mark, size);
    shk_panel_layer(panel,
                    "index %d using 1:%s with points linestyle %d pointtype %d pointsize %.2f",
                    index, points[outside], method + 1, open ? mark - 1 : mark, size);
  }
}

static void add_curve(const struct shk_drawing *drawing, struct shk_figure *figure,
                      const struct shk_curve *curve, int method, bool open, struct shk_panel *panel)
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
  if (finished > 1)
    shk_panel_layer(panel, "index %d using 1:2 with lines linestyle %d", index, method + 1);
  add_marks(figure, panel, index, method, open);
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
  for (int p = 0; p < grid->precision_count; p++)
    for (int c = 0; c < grid->columns; c++)
      if (find_curve(drawing, group, grid->blocks[c], grid->precisions[p], method))
        return true;
  return false;
}

/* An order in the key, as it stands in a column of blocks or, where there is one block, of
 * precisions. */
static void add_order(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                      const struct grid *grid, int method, int block, int precision, int column)
{
  const struct shk_curve *curve =
      find_curve(drawing, group, grid->blocks[block], grid->precisions[precision], method);
  if (curve)
    shk_key_value(figure, column, order_label(&curve->fit));
}

/* Whether any order is known. */
static bool is_fitted(const struct shk_drawing *drawing, int group, const struct grid *grid)
{
  for (int k = 0; k < grid->columns * grid->precision_count; k++)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *curve = find_curve(drawing, group, grid->blocks[k % grid->columns],
                                                 grid->precisions[k / grid->columns], m);
      if (curve && (curve->fit.determined || curve->fit.exact))
        return true;
    }
  return false;
}

/* Orders beside each name. With blocks side by side a line for each precision; otherwise the
 * precisions are side by side. */
static void fill_key(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                     const struct grid *grid)
{
  const bool wide = grid->columns > 1;
  const int columns = wide ? grid->columns : grid->precision_count,
            lines = wide ? grid->precision_count : 1, tag = lines > 1;
  const bool fitted = is_fitted(drawing, group, grid);
  for (int c = 0; fitted && c < columns; c++) {
    const struct shk_label name =
        wide ? short_name(grid->blocks[c]) : shk_label_words(grid->precisions[c]);
    struct shk_label label;
    snprintf(label.plain, sizeof label.plain, wide ? "order of %.40s" : "order, %.40s", name.plain);
    snprintf(label.latex, sizeof label.latex, wide ? "order of %.40s" : "order, %.40s", name.latex);
    shk_key_head(figure, tag + c, label);
  }
  for (int m = 0; m < drawing->method_count; m++) {
    if (!is_drawn(drawing, group, grid, m))
      continue;
    shk_key_method(figure, m);
    for (int l = 0; fitted && l < lines; l++) {
      if (l > 0)
        shk_key_under(figure, shk_label_words(""));
      if (tag)
        shk_key_value(figure, 0, shk_label_words(grid->precisions[l]));
      for (int c = 0; c < columns; c++)
        add_order(drawing, figure, group, grid, m, wide ? c : 0, wide ? l : c, tag + c);
    }
  }
  const int last = grid->precision_count - 1;
  if (last > 0) {
    char note[64];
    snprintf(note, sizeof note, "open: %s%s%s, filled: %s", grid->precisions[0],
             last > 1 ? " and " : "", last > 1 ? grid->precisions[1] : "", grid->precisions[last]);
    shk_key_note(figure, note);
  }
}

/* ---- figures ---- */

static void fill_panel(const struct shk_drawing *drawing, struct shk_figure *figure, int group,
                       const struct grid *grid, enum shk_block_id block, struct shk_panel *panel)
{
  static const char *const greys[] = {"#dddddd", "#eeeeee", "#f6f6f6"};
  const int last = grid->precision_count - 1;
  for (int p = 0; p <= last; p++)
    add_floor(drawing, figure, group, block, grid->precisions[p], greys[last - p], panel);
  add_guides(drawing, figure, group, block, grid, panel);
  for (int p = 0; p < grid->precision_count; p++)
    for (int m = 0; m < drawing->method_count; m++) {
      const struct shk_curve *curve = find_curve(drawing, group, block, grid->precisions[p], m);
      if (curve)
        add_curve(drawing, figure, curve, m, p < last, panel);
    }
}

static bool draw_grid(struct shk_drawing *drawing, int group, const struct grid *grid,
                      const char *block)
{
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, block, NULL, 1, grid->columns);
  if (grid->precision_count == 1)
    shk_key_note_more(&figure, ", ", grid->precisions[0]);
  struct shk_extent steps = shk_extent_of_nothing, errors = shk_extent_of_nothing;
  measure(drawing, group, grid, &steps, &errors);
  for (int c = 0; c < grid->columns; c++) {
    struct shk_panel *panel = shk_figure_panel(&figure, 0, c);
    shk_axis_range(&panel->x, steps.low, steps.high, 1.35);
    shk_axis_range(&panel->y, errors.low, errors.high, 4);
    panel->x.label = shk_label("step {/:Italic h}", "step $h$");
    if (grid->columns == 1)
      panel->y.label = shk_error_label(grid->blocks[0], drawing->groups[group].energy_unit);
    else
      panel->title = short_name(grid->blocks[c]);
    if (grid->columns > 1 && c == 0)
      panel->y.label = shk_label_words("max error (relative)");
    fill_panel(drawing, &figure, group, grid, grid->blocks[c], panel);
  }
  fill_key(drawing, &figure, group, grid);
  return shk_drawing_finish(drawing, &figure);
}

/* The grid of one block; without precisions if nothing is known of it. */
static struct grid grid_of(const struct shk_drawing *drawing, int group, enum shk_block_id block)
{
  struct grid grid = {.columns = 1, .blocks = {block}};
  for (int i = 0; shk_precision_names[i]; i++)
    if (has_block(drawing, group, block, shk_precision_names[i]))
      grid.precisions[grid.precision_count++] = shk_precision_names[i];
  return grid;
}

/* Positions, momenta and multipliers side by side. */
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
  for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
    const struct grid grid = grid_of(drawing, group, blocks[b]);
    if (grid.precision_count == 0)
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
    .shows =
        "errors against the step, with the fitted orders; over members the worst, with bars "
        "down to the best; filled marks are the most accurate precision's, open ones those of the "
        "others, small ones took "
        "no part in the fit; the grey area is reference error and round-off",
    .measure = "order",
    .of_group = draw};
