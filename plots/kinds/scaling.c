/*
 * Cost against size: CPU time per step and constraint of problems of one name that differ in the
 * number of their constraints. One figure for each such name and precision.
 *
 * Each mark is the cheapest step measured at that size, among the runs of at least ten steps.
 * Failed runs are omitted, with a gap in the line. A cost in proportion to the size is a level
 * line.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SIZES = 3, LEAST_STEPS = 10 };

struct size {
  int m;
  double cost; /* seconds per step and constraint; NaN: the runs failed */
};

/* Sizes of one method, ascending. */
struct curve {
  int count;
  struct size *sizes;
};

static void add_size(struct curve *curve, int m, double cost)
{
  int at = 0;
  while (at < curve->count && curve->sizes[at].m < m)
    at++;
  if (at < curve->count && curve->sizes[at].m == m) {
    curve->sizes[at].cost = fmin(curve->sizes[at].cost, cost); /* fmin ignores NaN */
    return;
  }
  curve->sizes = shk_grow(curve->sizes, (size_t)curve->count, sizeof *curve->sizes);
  memmove(curve->sizes + at + 1, curve->sizes + at,
          (size_t)(curve->count - at) * sizeof *curve->sizes);
  curve->sizes[at] = (struct size){m, cost};
  curve->count++;
}

/* The number of constraints of a group's problem, from any of its records. */
static int constraints_of(const struct shk_drawing *drawing, const struct shk_drawn_group *group)
{
  for (int i = 0; i < group->cell_count; i++) {
    const struct shk_record *const record = drawing->records[group->cells[i]];
    if (record && record->outcome.m > 0)
      return record->outcome.m;
  }
  return 0;
}

static struct curve gather(const struct shk_drawing *drawing, const char *problem,
                           const char *precision, int method)
{
  struct curve curve = {0};
  for (int g = 0; g < drawing->group_count; g++) {
    const struct shk_drawn_group *const group = &drawing->groups[g];
    const int m = group->used ? constraints_of(drawing, group) : 0;
    if (m == 0 || !shk_same_problem(group->problem, problem))
      continue;
    for (int i = 0; i < group->cell_count; i++) {
      const struct shk_cell *const cell = &drawing->plan->cells[group->cells[i]].cell;
      const struct shk_record *const record = drawing->records[group->cells[i]];
      if (!record || strcmp(cell->kind, "run") != 0 || strcmp(cell->precision, precision) != 0 ||
          strcmp(cell->integrator, drawing->methods[method]) != 0)
        continue;
      const bool finished = shk_record_finished(record);
      const double steps = shk_recorded(&record->outcome, SHK_QUANTITY_WORK_STEPS, NULL),
                   seconds = shk_recorded(&record->outcome, SHK_QUANTITY_CPU_SECONDS, NULL);
      if (finished && steps >= LEAST_STEPS && seconds > 0)
        add_size(&curve, m, seconds / steps / m);
      else if (!finished)
        add_size(&curve, m, NAN);
    }
  }
  return curve;
}

static int measured(const struct curve *curve)
{
  int count = 0;
  for (int i = 0; i < curve->count; i++)
    count += isfinite(curve->sizes[i].cost);
  return count;
}

static bool draw_curves(struct shk_drawing *drawing, const struct curve *curves,
                        const char *problem, const char *precision)
{
  struct shk_chart chart;
  char *const name = shk_print_text("%.*s", (int)strcspn(problem, "( "), problem);
  char *const text = shk_print_text("%s-%s", name, precision), *const part = shk_slug(text);
  shk_drawing_chart_of_study(drawing, &chart, part);
  shk_chart_head(&chart, "", name);
  shk_chart_head(&chart, " of several sizes, ", precision);
  struct shk_extent sizes = shk_extent_of_nothing, costs = shk_extent_of_nothing;
  for (int m = 0; m < drawing->method_count; m++) {
    if (measured(&curves[m]) == 0)
      continue;
    shk_chart_method(&chart, m, drawing->styles[m]);
    shk_chart_legend(&chart, chart.method_count, drawing->shown[m], NULL);
    shk_chart_block(&chart, drawing->shown[m], NULL,
                    "constraints, CPU nanoseconds per step and constraint");
    for (int i = 0; i < curves[m].count; i++) {
      SHK_CHART_ROW(&chart, curves[m].sizes[i].m, 1e9 * curves[m].sizes[i].cost);
      shk_extent_add(&sizes, curves[m].sizes[i].m);
      shk_extent_add(&costs, 1e9 * curves[m].sizes[i].cost);
    }
  }
  shk_chart_range(&chart, 1, sizes.low / 1.5, sizes.high * 1.5);
  shk_chart_range(&chart, 2, costs.low / 2, costs.high * 2);
  free(part);
  free(text);
  free(name);
  return shk_drawing_draw(drawing, &chart);
}

static bool draw_problem(struct shk_drawing *drawing, const char *problem, const char *precision)
{
  struct curve *const curves = shk_allocate((size_t)drawing->method_count + 1, sizeof *curves);
  int most = 0;
  for (int m = 0; m < drawing->method_count; m++) {
    curves[m] = gather(drawing, problem, precision, m);
    most = measured(&curves[m]) > most ? measured(&curves[m]) : most;
  }
  const bool ok = most < LEAST_SIZES || draw_curves(drawing, curves, problem, precision);
  for (int m = 0; m < drawing->method_count; m++)
    free(curves[m].sizes);
  free(curves);
  return ok;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  for (int g = 0; g < group; g++)
    if (drawing->groups[g].used && shk_same_problem(drawing->groups[g].problem, problem))
      return true;
  return draw_problem(drawing, problem, precision);
}

const struct shk_figure_kind shk_figure_kind_scaling = {
    .shows = "CPU time per step and constraint against the number of constraints; needs a "
             "problem in three sizes",
    .of_precision = draw};
