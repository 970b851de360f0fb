/*
 * Cost against size: CPU time per step and constraint of problems of one name that differ in the
 * number of their constraints. One figure for each such name and precision.
 *
 * Each mark is the cheapest step that was measured at that size, among the runs of at least ten
 * steps; runs that failed are left out, with a gap in the line. A method whose cost is in
 * proportion to the size gives a level line.
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
    curve->sizes[at].cost = fmin(curve->sizes[at].cost, cost); /* passes over NaN */
    return;
  }
  curve->sizes = shk_grow(curve->sizes, (size_t)curve->count, sizeof *curve->sizes);
  memmove(curve->sizes + at + 1, curve->sizes + at,
          (size_t)(curve->count - at) * sizeof *curve->sizes);
  curve->sizes[at] = (struct size){m, cost};
  curve->count++;
}

/* The constraints of a group's problem, as any record of it has them. */
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

static bool draw_problem(struct shk_drawing *drawing, const char *problem, const char *precision)
{
  struct curve *const curves = shk_allocate((size_t)drawing->method_count + 1, sizeof *curves);
  int most = 0;
  for (int m = 0; m < drawing->method_count; m++) {
    curves[m] = gather(drawing, problem, precision, m);
    most = measured(&curves[m]) > most ? measured(&curves[m]) : most;
  }
  bool ok = true;
  if (most >= LEAST_SIZES) {
    struct shk_figure figure;
    char *const name = shk_copy_text(problem);
    name[strcspn(name, "( ")] = '\0';
    char *const slug = shk_slug(name);
    char *const part = shk_print_text("%s-%s", slug, precision);
    shk_drawing_begin_study(drawing, &figure, part, 1, 1);
    free(part);
    free(slug);
    char *const head = shk_print_text("%s of several sizes, %s", name, precision);
    shk_key_note(&figure, head);
    free(head);
    struct shk_panel *const panel = shk_figure_panel(&figure, 0, 0);
    double low = INFINITY, high = 0, least = INFINITY, largest = 0;
    for (int m = 0; m < drawing->method_count; m++) {
      if (measured(&curves[m]) == 0)
        continue;
      const int index = shk_figure_block(
          &figure, "%s, %s, %s: constraints, CPU nanoseconds per step and constraint", name,
          precision, drawing->methods[m]);
      for (int i = 0; i < curves[m].count; i++) {
        const double row[] = {curves[m].sizes[i].m, 1e9 * curves[m].sizes[i].cost};
        shk_figure_row(&figure, row, 2);
        least = fmin(least, row[0]);
        largest = fmax(largest, row[0]);
        low = fmin(low, row[1]);
        high = fmax(high, row[1]);
      }
      shk_panel_layer(panel, "index %d using 1:2 with lines linestyle %d", index, m + 1);
      shk_panel_layer(panel, "index %d using 1:2 with points linestyle %d", index, m + 1);
      shk_key_method(&figure, m);
    }
    shk_axis_range(&panel->x, least, largest, 1.5);
    shk_axis_range(&panel->y, low, high, 2);
    panel->x.label = shk_label("constraints {/:Italic m}", "constraints $m$");
    panel->y.label = shk_label_words("ns per step and constraint");
    free(name);
    ok = shk_drawing_finish(drawing, &figure);
  }
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
    .shows = "CPU time per step and constraint against the number of constraints; needs a problem "
             "in three sizes",
    .of_precision = draw};
