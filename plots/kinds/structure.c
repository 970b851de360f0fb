/*
 * Structure by step: what a method's step does to the form, to the way back and to the constraints.
 * A panel for each measure of structure that the study has of the problem in this precision, with
 * the defect of one step against the step, and below them the largest |g| of the runs.
 *
 * The grey area under defects ends at the largest floor of the methods at each step: what is in it
 * says nothing. That under |g| ends at the precision's rounding of a constraint of size one. A
 * defect of zero is drawn at the bottom. Cells that did not finish leave gaps in the lines.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
  double step, value, floor;
};

/* The kind of the cells in which it is measured. */
static const char *kind_of(enum shk_quantity_id quantity)
{
  const struct shk_measure_entry *const measure = &shk_measures[shk_quantities[quantity].measure];
  return measure->in == SHK_IN_STEPS ? measure->name : "run";
}

static int by_step(const void *a, const void *b)
{
  const double x = ((const struct point *)a)->step, y = ((const struct point *)b)->step;
  return (x > y) - (x < y);
}

/* The points of a method, smallest step first; NULL and *count = 0 without one. */
static struct point *gather(const struct shk_drawing *drawing, int group, const char *precision,
                            int method, enum shk_quantity_id quantity, int *count)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  struct point *points = NULL;
  *count = 0;
  for (int i = 0; i < its->cell_count; i++) {
    const struct shk_cell *cell = &drawing->plan->cells[its->cells[i]].cell;
    const struct shk_record *record = drawing->records[its->cells[i]];
    if (!record || !cell->step || cell->tolerance || strcmp(cell->kind, kind_of(quantity)) != 0 ||
        strcmp(cell->precision, precision) != 0 ||
        shk_drawing_method(drawing, cell->integrator) != method)
      continue;
    struct point point = {cell->numbers.step, NAN, 0};
    if (shk_record_finished(record)) {
      point.value = shk_recorded(&record->outcome, quantity, NULL);
      if (shk_quantities[quantity].floor == SHK_FLOOR_CELL)
        point.floor = shk_recorded(&record->outcome, SHK_QUANTITY_DEFECT_FLOOR, kind_of(quantity));
    }
    points = shk_grow(points, (size_t)*count, sizeof *points);
    points[(*count)++] = point;
  }
  if (points)
    qsort(points, (size_t)*count, sizeof *points, by_step);
  return points;
}

/* What is seen of a panel. */
struct extent {
  double low, high, left, right;
  int floor_count;
  struct point *floors; /* the largest of all methods at each step */
};

static void extend_floor(struct extent *extent, const struct point *point)
{
  for (int i = 0; i < extent->floor_count; i++)
    if (extent->floors[i].step == point->step) {
      extent->floors[i].floor = fmax(extent->floors[i].floor, point->floor);
      return;
    }
  extent->floors = shk_grow(extent->floors, (size_t)extent->floor_count, sizeof *extent->floors);
  extent->floors[extent->floor_count++] = *point;
}

static void extend(struct extent *extent, const struct point *point)
{
  if (!isfinite(point->value))
    return;
  extent->left = fmin(extent->left, point->step);
  extent->right = fmax(extent->right, point->step);
  if (point->value > 0) {
    extent->low = fmin(extent->low, point->value);
    extent->high = fmax(extent->high, point->value);
  }
  if (point->floor > 0 && isfinite(point->floor))
    extend_floor(extent, point);
}

/* The methods' points as blocks, and layers from them that replace zero by the bottom. */
static void add_methods(struct shk_drawing *drawing, struct shk_figure *figure, int which,
                        int group, const char *precision, enum shk_quantity_id quantity,
                        struct extent *extent, bool *present)
{
  int *const blocks = shk_allocate((size_t)drawing->method_count + 1, sizeof *blocks);
  for (int m = 0; m < drawing->method_count; m++) {
    int count;
    struct point *const points = gather(drawing, group, precision, m, quantity, &count);
    blocks[m] = -1;
    if (count > 0)
      blocks[m] = shk_figure_block(figure, "%s: step, %s, floor", drawing->methods[m],
                                   shk_quantities[quantity].scalar);
    for (int i = 0; i < count; i++) {
      const double row[] = {points[i].step, points[i].value, points[i].floor};
      shk_figure_row(figure, row, 3);
      extend(extent, &points[i]);
    }
    free(points);
  }
  if (extent->high <= 0) { /* every defect is zero */
    extent->low = extent->high = shk_precision_epsilon(precision);
  }
  struct shk_panel *const panel = &figure->panels[which];
  for (int m = 0; m < drawing->method_count; m++) {
    if (blocks[m] < 0)
      continue;
    present[m] = true;
    shk_panel_layer(panel, "index %d using 1:($2>%.3g?$2:%.3g) with linespoints linestyle %d",
                    blocks[m], extent->low, extent->low, m + 1);
  }
  free(blocks);
}

static void add_floor(struct shk_figure *figure, int which, const char *precision,
                      const struct extent *extent)
{
  struct shk_panel *const panel = &figure->panels[which];
  const double rounding = shk_precision_epsilon(precision);
  if (extent->floor_count == 0) {
    const int index = shk_figure_block(figure, "rounding: step, epsilon");
    fprintf(figure->data, "%.9g\t%.3g\n%.9g\t%.3g\n", extent->left / 2, rounding, extent->right * 2,
            rounding);
    shk_panel_layer(panel, "index %d using 1:2 with filledcurves y1=1e-99 fillcolor rgb '#808080'",
                    index);
    return;
  }
  qsort(extent->floors, (size_t)extent->floor_count, sizeof *extent->floors, by_step);
  const int index = shk_figure_block(figure, "floor: step, largest of the methods");
  for (int i = 0; i < extent->floor_count; i++)
    fprintf(figure->data, "%.9g\t%.3g\n", extent->floors[i].step, extent->floors[i].floor);
  shk_panel_layer(panel, "index %d using 1:2 with filledcurves y1=1e-99 fillcolor rgb '#808080'",
                  index);
}

/* Adds a panel's curves and floor; what is seen of it goes into `all`. */
static void draw_panel(struct shk_drawing *drawing, struct shk_figure *figure, int which, int group,
                       const char *precision, enum shk_quantity_id quantity, bool *present,
                       struct extent *all)
{
  struct extent extent = {INFINITY, 0, INFINITY, 0, 0, NULL};
  add_methods(drawing, figure, which, group, precision, quantity, &extent, present);
  add_floor(figure, which, precision, &extent);
  figure->panels[which].title = shk_quantity_label(quantity, SHK_BLOCKS);
  all->low = fmin(all->low, extent.low);
  all->high = fmax(all->high, extent.high);
  all->left = fmin(all->left, extent.left);
  all->right = fmax(all->right, extent.right);
  free(extent.floors);
}

/* All panels have the same axes; the outer ones say what they are. */
static void share_axes(struct shk_figure *figure, const struct extent *all, const char *unit)
{
  for (int i = 0; i < figure->panel_count; i++) {
    struct shk_panel *const panel = &figure->panels[i];
    if (all->right > 0)
      shk_axis_range(&panel->x, all->left, all->right, 1.15);
    shk_axis_range(&panel->y, all->low, all->high, 10);
    if (panel->column == 0)
      panel->y.label = shk_label_words("largest value");
    if (i + figure->columns >= figure->panel_count)
      panel->x.label = shk_label_print("step {/:Italic h}%s", "step $h$%s", unit);
  }
}

static bool has(const struct shk_drawing *drawing, int group, const char *precision,
                enum shk_quantity_id quantity)
{
  bool found = false;
  for (int m = 0; !found && m < drawing->method_count; m++) {
    int count;
    struct point *const points = gather(drawing, group, precision, m, quantity, &count);
    for (int i = 0; i < count; i++)
      found = found || isfinite(points[i].value);
    free(points);
  }
  return found;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  enum shk_quantity_id shown[SHK_QUANTITIES];
  int rows = 0;
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const enum shk_quantity_id quantity = (enum shk_quantity_id)i;
    if (shk_quantities[quantity].parameter == SHK_BY_NOTHING &&
        shk_quantities[quantity].measure != SHK_MEASURES &&
        shk_measures[shk_quantities[quantity].measure].in == SHK_IN_STEPS &&
        has(drawing, group, precision, quantity))
      shown[rows++] = quantity;
  }
  if (rows == 0)
    return true;
  if (has(drawing, group, precision, SHK_QUANTITY_CONSTRAINT_MAX))
    shown[rows++] = SHK_QUANTITY_CONSTRAINT_MAX;
  const int columns = rows <= 2 ? rows : rows <= 4 ? 2 : 3;
  struct shk_figure figure;
  struct extent all = {INFINITY, 0, INFINITY, 0, 0, NULL};
  shk_drawing_begin(drawing, &figure, group, NULL, precision, (rows + columns - 1) / columns,
                    columns);
  bool *const present = shk_allocate((size_t)drawing->method_count + 1, sizeof *present);
  memset(present, 0, (size_t)drawing->method_count * sizeof *present);
  for (int i = 0; i < rows; i++)
    shk_figure_panel(&figure, i / columns, i % columns);
  for (int i = 0; i < rows; i++)
    draw_panel(drawing, &figure, i, group, precision, shown[i], present, &all);
  share_axes(&figure, &all, drawing->groups[group].unit);
  for (int m = 0; m < drawing->method_count; m++)
    if (present[m])
      shk_key_method(&figure, m);
  free(present);
  return shk_drawing_finish(drawing, &figure);
}

const struct shk_figure_kind shk_figure_kind_structure = {
    .shows = "defects of one step (symplecticity and the like) and max \\|g\\| of the runs against "
             "the step, with the floor",
    .only_by_name = true,
    .of_precision = draw};
