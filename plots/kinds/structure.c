/*
 * Structure against the step: the defects of one step in the symplectic form, in reversibility and
 * in the constraints. A panel for each measure of structure that the study has of the problem in
 * this precision, and below them the largest |g| of the runs.
 *
 * The grey area under defects ends at the largest floor of the methods at each step; values in it
 * have no meaning. The area under |g| ends at the precision's rounding of a constraint of size one.
 * A defect of zero is drawn at the bottom. Cells that did not finish leave gaps in the lines.
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

/* The kind of the cells in which the quantity is measured. */
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

/* The points of a method, smallest step first; NULL and *count = 0 if there are none. */
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

/* Extent of all panels. */
struct extent {
  struct shk_extent steps, values;
};

/* Adds a panel with a block for each method. The floor of |g| is the precision's rounding of a
 * constraint of size one. */
static void add_panel(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                      const char *precision, enum shk_quantity_id quantity, struct extent *extent)
{
  for (int k = 0; k < chart->method_count; k++) {
    int count;
    const int m = chart->methods[k];
    struct point *const points = gather(drawing, group, precision, m, quantity, &count);
    if (count == 0)
      shk_chart_gap(chart);
    else
      shk_chart_block(chart, drawing->shown[m], NULL, "step, %s, floor",
                      shk_quantities[quantity].scalar);
    for (int i = 0; i < count; i++) {
      const bool measured = shk_quantities[quantity].floor == SHK_FLOOR_CELL;
      SHK_CHART_ROW(chart, points[i].step, points[i].value,
                    measured ? points[i].floor : shk_precision_epsilon(precision));
      if (isfinite(points[i].value))
        shk_extent_add(&extent->steps, points[i].step);
      shk_extent_add(&extent->values, points[i].value);
    }
    free(points);
  }
}

static bool has(const struct shk_drawing *drawing, int group, const char *precision, int method,
                enum shk_quantity_id quantity)
{
  int count;
  bool found = false;
  struct point *const points = gather(drawing, group, precision, method, quantity, &count);
  for (int i = 0; i < count; i++)
    found = found || isfinite(points[i].value);
  free(points);
  return found;
}

static bool any_has(const struct shk_drawing *drawing, int group, const char *precision,
                    enum shk_quantity_id quantity)
{
  bool found = false;
  for (int m = 0; !found && m < drawing->method_count; m++)
    found = has(drawing, group, precision, m, quantity);
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
        any_has(drawing, group, precision, quantity))
      shown[rows++] = quantity;
  }
  if (rows == 0)
    return true;
  if (any_has(drawing, group, precision, SHK_QUANTITY_CONSTRAINT_MAX))
    shown[rows++] = SHK_QUANTITY_CONSTRAINT_MAX;
  struct shk_chart chart;
  struct extent all = {shk_extent_of_nothing, shk_extent_of_nothing};
  const int columns = rows <= 2 ? rows : rows <= 4 ? 2 : 3;
  shk_drawing_chart(drawing, &chart, group, NULL, precision);
  shk_drawing_width(drawing, &chart,
                    columns == 1   ? SHK_COLUMN_WIDTH
                    : columns == 2 ? SHK_MIDDLE_WIDTH
                                   : SHK_PAGE_WIDTH);
  for (int m = 0; m < drawing->method_count; m++) {
    bool drawn = false;
    for (int i = 0; i < rows; i++)
      drawn = drawn || has(drawing, group, precision, m, shown[i]);
    if (drawn) {
      shk_chart_method(&chart, m, drawing->styles[m]);
      shk_chart_legend(&chart, chart.method_count, drawing->shown[m], NULL);
    }
  }
  for (int i = 0; i < rows; i++) {
    add_panel(drawing, &chart, group, precision, shown[i], &all);
    shk_chart_set_nth_label(&chart, "title", i + 1, shk_quantity_label(shown[i], SHK_BLOCKS));
  }
  const double rounding = shk_precision_epsilon(precision); /* used if every defect is zero */
  shk_chart_set(&chart, "panels", rows);
  shk_chart_set(&chart, "across", columns);
  shk_chart_set(&chart, "least", all.steps.low);
  shk_chart_set(&chart, "largest", all.steps.high);
  shk_chart_set(&chart, "low", all.values.high > 0 ? all.values.low : rounding);
  shk_chart_set(&chart, "high", all.values.high > 0 ? all.values.high : rounding);
  shk_chart_set_label(&chart, "unit", shk_label_words(drawing->groups[group].unit));
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_structure = {
    .shows = "defects of one step (such as symplecticity) and max \\|g\\| against the step, with "
             "the floor",
    .only_by_name = true,
    .of_precision = draw};
