/*
 * Structure against the step: the defects of one step in the symplectic form, in reversibility and
 * in the constraints. A panel for each measure of structure that the study has of the problem in
 * this precision, and below them the largest |g| of the runs.
 *
 * The grey area under defects ends at the largest floor of the methods at each step; values in it
 * have no meaning. The area under |g| ends at the precision's rounding of a constraint of size one.
 * A defect of zero is drawn at the bottom. Cells that did not finish leave gaps in the lines.
 */
#include "foundation/specifications/precision.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/curves.h"
#include <math.h>

/* Adds a panel of the quantity; returns false if it is not measured. */
static bool add_panel(struct shk_curves *curves, const struct shk_drawing *drawing, int group,
                      const char *precision, enum shk_quantity_id quantity, int panel)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_measure_entry *const measure = &shk_measures[entry->measure];
  const char *const kind = measure->in == SHK_IN_STEPS ? measure->name : "run";
  const struct shk_drawn_cell *cell;
  bool any = false;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, false, kind, precision));) {
    if (!cell->record || !cell->cell->step || cell->cell->tolerance)
      continue;
    double *const y = shk_curves_at(curves, panel, cell->method, cell->cell->numbers.step)->y;
    const bool measured = entry->floor == SHK_FLOOR_CELL;
    y[1] = measured ? 0 : shk_precision_epsilon(precision);
    if (!shk_record_finished(cell->record))
      continue;
    y[0] = shk_recorded(&cell->record->outcome, quantity, NULL);
    if (measured)
      y[1] = shk_recorded(&cell->record->outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
    any = any || isfinite(y[0]);
  }
  return any;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  enum shk_quantity_id shown[SHK_QUANTITIES + 1];
  struct shk_curves curves = {0};
  struct shk_chart chart;
  int rows = 0;
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    shown[rows] = (enum shk_quantity_id)i;
    rows += entry->scalar && entry->parameter == SHK_BY_NOTHING && entry->measure != SHK_MEASURES &&
            shk_measures[entry->measure].in == SHK_IN_STEPS &&
            add_panel(&curves, drawing, group, precision, shown[rows], rows);
  }
  if (rows == 0)
    return true;
  shown[rows] = SHK_QUANTITY_CONSTRAINT_MAX;
  rows += add_panel(&curves, drawing, group, precision, shown[rows], rows);
  const int columns = rows <= 2 ? rows : rows <= 4 ? 2 : 3;
  shk_drawing_chart(drawing, &chart, group, NULL, precision);
  shk_drawing_width(drawing, &chart, widths[columns - 1]);
  shk_curves_add_methods(&curves, drawing, &chart);
  struct shk_phrase names[SHK_QUANTITIES + 1];
  for (int i = 0; i < rows; i++)
    names[i] = shk_phrase("%s", shk_quantities[shown[i]].scalar);
  shk_curves_write(&curves, drawing, &chart, rows, names, 2, "step, largest value, floor");
  for (int i = 0; i < rows; i++)
    shk_chart_quantity(&chart, shk_phrase("title_%d", i + 1).text, shown[i], SHK_BLOCKS, "");
  shk_chart_set(&chart, "panels", rows);
  shk_chart_set(&chart, "across", columns);
  shk_chart_words(&chart, "unit", drawing->groups[group].unit, drawing->groups[group].unit);
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_structure = {
    .shows = "defects of one step (such as symplecticity) and max \\|g\\| against the step, with "
             "the floor",
    .only_by_name = true,
    .of_precision = draw};
