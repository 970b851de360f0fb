/*
 * Drift of the energy against the tolerance at which a method solves for its multipliers: the size
 * of the slope of H along the run, a panel for each step, at most three.
 *
 * Filled marks gain energy, open ones lose it; bars are the slope's half-width (two standard
 * errors). Where the slope is not told from zero, an arrow points down from the largest size that
 * it may have. A line joins slopes that are, and has a gap where one is not or where a run failed.
 * The broken line is that size for the same method solved to round-off, which has no `tolerance`.
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
  int style;        /* the method's whose colour and mark are used */
  char *base;       /* specification without the tolerance */
  double tolerance; /* 0: solved to round-off */
  double step;
  double slope, half_width; /* NaN: the run failed */
  const char *status;
};

struct curve_set {
  int count;
  struct point *points;
};

/* Takes `tolerance` out of a specification; 0 if it has none, NaN if it is no number. */
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
    /* To the end, which is left out of the text and given back afterwards. */
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

/* Steps from the largest; within one, methods as in the study, then tolerances from the loosest. */
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
    point.status = shk_record_status(record);
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
  /* Methods that are in the study with tolerances only take the style of the first of them. */
  for (int i = 0; i < set.count; i++)
    for (int j = 0; j < set.count; j++)
      if (strcmp(set.points[i].base, set.points[j].base) == 0 &&
          set.points[j].style < set.points[i].style)
        set.points[i].style = set.points[j].style;
  if (set.count > 0)
    qsort(set.points, (size_t)set.count, sizeof *set.points, by_place);
  return set;
}

/* The end of the points of one step, or of one method in it, that begin here. */
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

/* How many tolerances of one method and step there are, the most. */
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

static bool is_told(const struct point *point)
{
  return fabs(point->slope) > point->half_width;
}

static double bound(const struct point *point)
{
  return fabs(point->slope) + (isfinite(point->half_width) ? point->half_width : 0);
}

static void add_method(struct shk_figure *figure, struct shk_panel *panel,
                       const struct curve_set *set, int begin, int end)
{
  const int style = set->points[begin].style + 1, mark = shk_method_mark(figure, style - 1);
  const int index = shk_figure_block(
      figure,
      "%s, step %g: tolerance (0: round-off), slope, half-width, size of the slope, from, "
      "to, upper limit where it is not told from zero, status",
      set->points[begin].base, set->points[begin].step);
  double level = NAN;
  for (int i = begin; i < end; i++) {
    const struct point *const point = &set->points[i];
    if (point->tolerance == 0) {
      level = bound(point);
      fprintf(figure->data, "# solved to round-off: slope %.9g, half-width %.9g\n", point->slope,
              point->half_width);
      continue;
    }
    const bool told = is_told(point);
    const double size = fabs(point->slope), lowest = size - point->half_width;
    const double row[] = {point->tolerance,
                          point->slope,
                          point->half_width,
                          told ? size : NAN,
                          told ? lowest : NAN,
                          told ? bound(point) : NAN,
                          !told && isfinite(point->slope) ? bound(point) : NAN};
    shk_print_numbers(figure->data, row, 7);
    fprintf(figure->data, "\t%s\n", point->status);
  }
  shk_panel_layer(panel, "index %d using 1:4 with lines linestyle %d", index, style);
  shk_panel_layer(panel, "index %d using 1:4:5:6 with yerrorbars linestyle %d pointsize 0", index,
                  style);
  shk_panel_layer(panel,
                  "index %d using 1:($2<0?$4:NaN) with points linestyle %d linecolor rgb "
                  "'white'",
                  index, style);
  shk_panel_layer(panel, "index %d using 1:($2<0?$4:NaN) with points linestyle %d pointtype %d",
                  index, style, mark - 1);
  shk_panel_layer(panel, "index %d using 1:($2>0?$4:NaN) with points linestyle %d", index, style);
  shk_panel_layer(panel,
                  "index %d using 1:7:(0):(-0.6*$7) with vectors head size screen 0.012,25 filled "
                  "linestyle %d dashtype solid",
                  index, style);
  if (level > 0 && isfinite(level)) {
    const int line = shk_figure_block(figure,
                                      "%s, step %g, solved to round-off: the ends of the "
                                      "axis, upper limit of the slope's size",
                                      set->points[begin].base, set->points[begin].step);
    fprintf(figure->data, "%.9g\t%.9g\n%.9g\t%.9g\n", panel->x.low, level, panel->x.high, level);
    shk_panel_layer(panel, "index %d using 1:2 with lines linestyle %d linewidth 1 dashtype (3,4)",
                    line, style);
  }
}

static void fill_key(struct shk_figure *figure, const struct curve_set *set)
{
  for (int i = 0; i < set->count; i++) {
    bool seen = false;
    for (int j = 0; j < i && !seen; j++)
      seen = strcmp(set->points[i].base, set->points[j].base) == 0;
    if (!seen)
      shk_key_name(figure, set->points[i].style, set->points[i].base);
  }
  shk_key_note(
      figure, "filled: gains energy, open: loses it, arrow: not told from zero, broken line: upper "
              "limit when solved to round-off");
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct curve_set set = gather(drawing, group, precision);
  bool ok = true;
  if (longest(&set) >= LEAST_POINTS) {
    int panels = 0;
    struct shk_extent x = shk_extent_of_nothing, y = shk_extent_of_nothing;
    for (int i = 0; i < set.count; i = end_of_step(&set, i))
      panels++;
    panels = panels < MOST_PANELS ? panels : MOST_PANELS;
    for (int i = 0; i < set.count; i++) {
      shk_extent_add(&x, set.points[i].tolerance);
      if (isfinite(set.points[i].slope))
        shk_extent_add(&y, is_told(&set.points[i])
                               ? fmax(fabs(set.points[i].slope) - set.points[i].half_width,
                                      0.2 * fabs(set.points[i].slope))
                               : 0.4 * bound(&set.points[i]));
      shk_extent_add(&y, bound(&set.points[i]));
    }
    struct shk_figure figure;
    shk_drawing_begin(drawing, &figure, group, NULL, precision, panels, 1);
    figure.panel_height = panels == 1 ? 5.4 : 3.6;
    for (int i = 0, row = 0; i < set.count && row < panels; i = end_of_step(&set, i), row++) {
      struct shk_panel *const panel = shk_figure_panel(&figure, row, 0);
      shk_axis_range(&panel->x, x.low, x.high, 2);
      shk_axis_range(&panel->y, y.low, y.high, 2);
      panel->title = shk_label_print("{/:Italic h} = %.3g", "$h = %.3g$", set.points[i].step);
      panel->y.label = shk_label("|slope of {/:Italic H}|", "$|$slope of $H|$");
      if (row == panels - 1)
        panel->x.label = shk_label_words("tolerance of the multiplier solve");
      const int end = end_of_step(&set, i);
      for (int j = i; j < end; j = end_of_method(&set, j, end))
        add_method(&figure, panel, &set, j, end_of_method(&set, j, end));
    }
    fill_key(&figure, &set);
    ok = shk_drawing_finish(drawing, &figure);
  }
  for (int i = 0; i < set.count; i++)
    free(set.points[i].base);
  free(set.points);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_tolerance = {
    .shows = "the slope of the energy against the tolerance of the multiplier solve, a panel for "
             "each step; needs at least three tolerances of a method",
    .of_precision = draw};
