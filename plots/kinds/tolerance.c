/*
 * Drift of the energy against the tolerance at which a method solves for its multipliers: the size
 * of the slope of H along the run, a panel for each step, at most three.
 *
 * Filled marks gain energy, open ones lose it; bars are the slope's half-width (two standard
 * errors). For a slope not significantly different from zero, an arrow points down from its upper
 * bound. A line joins significant slopes; it has a gap at others and at failed runs. The broken
 * line is that bound for the same method solved to round-off, which has no option `tolerance`.
 */
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 3, LEAST_POINTS = 3 };

struct point {
  int style;        /* style of the method */
  char *base;       /* specification without the tolerance */
  double tolerance; /* 0: solved to round-off */
  double step;
  double slope, half_width; /* NaN: the run failed */
};

struct curve_set {
  int count;
  struct point *points;
};

/* Removes `tolerance` from a specification and returns it; 0 if there is none, NaN if it is not a
 * number. */
static double split(const char *integrator, char **base)
{
  struct shk_message unused = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(integrator, &unused);
  double tolerance = 0;
  if (!spec) {
    *base = shk_copy_text(integrator);
    return NAN;
  }
  for (int i = 0; i < spec->count; i++) {
    struct shk_spec_item item = spec->items[i];
    if (!item.option || strcmp(item.option, "tolerance") != 0)
      continue;
    tolerance = item.kind == SHK_SPEC_NUMBER ? strtod(item.text, NULL) : NAN;
    /* The item moves to the end, which is excluded from the text and restored afterwards. */
    memmove(&spec->items[i], &spec->items[i + 1],
            (size_t)(spec->count - i - 1) * sizeof *spec->items);
    spec->items[spec->count - 1] = item;
    spec->count--;
    *base = shk_spec_text(spec);
    spec->count++;
    shk_spec_free(spec);
    return tolerance;
  }
  shk_spec_free(spec);
  *base = shk_copy_text(integrator);
  return tolerance;
}

/* Order of points: steps from the largest; within one, methods as in the study, then tolerances
 * from the loosest. */
static int by_place(const void *a, const void *b)
{
  const struct point *const x = a, *const y = b;
  if (x->step != y->step)
    return x->step < y->step ? 1 : -1;
  if (x->style != y->style)
    return x->style < y->style ? -1 : 1;
  const int order = strcmp(x->base, y->base);
  if (order)
    return order;
  return (x->tolerance < y->tolerance) - (x->tolerance > y->tolerance);
}

static struct curve_set gather(const struct shk_drawing *drawing, int group, const char *precision)
{
  struct curve_set set = {0};
  for (int i = 0; i < drawing->groups[group].cell_count; i++) {
    const int index = drawing->groups[group].cells[i];
    const struct shk_cell *const cell = &drawing->plan->cells[index].cell;
    const struct shk_record *const record = drawing->records[index];
    if (strcmp(cell->kind, "run") != 0 || strcmp(cell->precision, precision) != 0 || !cell->step ||
        (drawing->asked && drawing->asked->step && strcmp(drawing->asked->step, cell->step) != 0))
      continue;
    struct point point = {.step = cell->numbers.step, .slope = NAN, .half_width = NAN};
    point.tolerance = split(cell->integrator, &point.base);
    const struct shk_drift *const drift = shk_drawn_drift(drawing, record);
    if (isnan(point.tolerance)) {
      free(point.base);
      continue;
    }
    if (drift) {
      point.slope = drift->slope;
      point.half_width = drift->slope_half_width;
    }
    point.style = shk_drawing_method(drawing, point.base);
    if (point.style < 0)
      point.style = shk_drawing_method(drawing, cell->integrator);
    set.points = shk_grow(set.points, (size_t)set.count, sizeof *set.points);
    set.points[set.count++] = point;
  }
  /* A method that has only tolerances in the study takes the style of the first of them. */
  for (int i = 0; i < set.count; i++)
    for (int j = 0; j < set.count; j++)
      if (strcmp(set.points[i].base, set.points[j].base) == 0 &&
          set.points[j].style < set.points[i].style)
        set.points[i].style = set.points[j].style;
  if (set.count > 0)
    qsort(set.points, (size_t)set.count, sizeof *set.points, by_place);
  return set;
}

/* End of the points of one step, or of one method in it, that begin here. */
static int end_of_step(const struct curve_set *set, int begin)
{
  int end = begin;
  while (end < set->count && set->points[end].step == set->points[begin].step)
    end++;
  return end;
}

static int end_of_method(const struct curve_set *set, int begin, int end)
{
  int at = begin;
  while (at < end && strcmp(set->points[at].base, set->points[begin].base) == 0)
    at++;
  return at;
}

/* Largest number of tolerances of one method and step. */
static int longest(const struct curve_set *set)
{
  int most = 0;
  for (int i = 0; i < set->count; i = end_of_method(set, i, end_of_step(set, i))) {
    int count = 0;
    for (int j = i; j < end_of_method(set, i, end_of_step(set, i)); j++)
      count += set->points[j].tolerance > 0 && isfinite(set->points[j].slope);
    most = count > most ? count : most;
  }
  return most;
}

static bool is_significant(const struct point *point)
{
  return fabs(point->slope) > point->half_width;
}

static double bound(const struct point *point)
{
  return fabs(point->slope) + (isfinite(point->half_width) ? point->half_width : 0);
}

/* Indices of the methods in the chart; a method without its tolerance may not be in the study. */
static int *name_methods(const struct curve_set *set, struct shk_chart *chart,
                         const struct shk_drawing *drawing)
{
  int *const firsts = shk_allocate((size_t)set->count + 1, sizeof *firsts);
  for (int i = 0; i < set->count; i++) {
    bool seen = false;
    for (int k = 0; k < chart->method_count && !seen; k++)
      seen = strcmp(set->points[firsts[k]].base, set->points[i].base) == 0;
    if (seen)
      continue;
    firsts[chart->method_count] = i;
    shk_chart_method(chart, i, drawing->styles[set->points[i].style]);
    shk_chart_legend(chart, chart->method_count, set->points[i].base, NULL);
  }
  return firsts;
}

/* Writes the block of a method in the step that begins there; returns the bound when solved to
 * round-off. */
static double write_method(struct shk_chart *chart, const struct curve_set *set, int begin, int end,
                           const char *base)
{
  double level = NAN;
  shk_chart_block(chart, base, NULL, "step %g: tolerance, slope, half-width",
                  set->points[begin].step);
  for (int i = begin; i < end; i++) {
    const struct point *const point = &set->points[i];
    if (strcmp(point->base, base) != 0)
      continue;
    if (point->tolerance == 0) {
      level = bound(point);
      fprintf(chart->data, "# solved to round-off: slope %.9g, half-width %.9g\n", point->slope,
              point->half_width);
    } else {
      SHK_CHART_ROW(chart, point->tolerance, point->slope, point->half_width);
    }
  }
  SHK_CHART_ROW(chart, NAN, NAN, NAN);
  return level;
}

static void write_panels(struct shk_chart *chart, const struct curve_set *set, const int *firsts,
                         int panels)
{
  char *steps = NULL;
  for (int i = 0, k = 1; i < set->count && k <= panels; i = end_of_step(set, i), k++) {
    char *levels = NULL;
    for (int m = 0; m < chart->method_count; m++)
      shk_list_add(&levels,
                   write_method(chart, set, i, end_of_step(set, i), set->points[firsts[m]].base));
    shk_list_add(&steps, set->points[i].step);
    shk_chart_set_nth(chart, "level", k, levels);
  }
  shk_chart_set_list(chart, "steps", steps);
}

static bool draw_set(struct shk_drawing *drawing, const struct curve_set *set, int group,
                     const char *precision)
{
  int panels = 0;
  struct shk_extent x = shk_extent_of_nothing, y = shk_extent_of_nothing;
  struct shk_chart chart;
  for (int i = 0; i < set->count; i = end_of_step(set, i))
    panels += panels < MOST_PANELS;
  for (int i = 0; i < set->count; i++) {
    const double size = fabs(set->points[i].slope);
    shk_extent_add(&x, set->points[i].tolerance);
    shk_extent_add(&y, is_significant(&set->points[i])
                           ? fmax(size - set->points[i].half_width, 0.2 * size)
                           : 0.4 * bound(&set->points[i]));
    shk_extent_add(&y, bound(&set->points[i]));
  }
  shk_drawing_chart(drawing, &chart, group, NULL, precision);
  int *const firsts = name_methods(set, &chart, drawing);
  write_panels(&chart, set, firsts, panels);
  shk_chart_set(&chart, "panels", panels);
  shk_chart_set(&chart, "least", x.low);
  shk_chart_set(&chart, "largest", x.high);
  shk_chart_set(&chart, "low", y.low);
  shk_chart_set(&chart, "high", y.high);
  shk_chart_note(&chart,
                 shk_label_words("filled: gains energy, open: loses it, arrow: upper bound"));
  free(firsts);
  return shk_drawing_draw(drawing, &chart);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct curve_set set = gather(drawing, group, precision);
  const bool ok = longest(&set) < LEAST_POINTS || draw_set(drawing, &set, group, precision);
  for (int i = 0; i < set.count; i++)
    free(set.points[i].base);
  free(set.points);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_tolerance = {
    .shows = "energy slope against the tolerance of the multiplier solve, a panel for each step; "
             "needs three tolerances of a method",
    .of_precision = draw};
