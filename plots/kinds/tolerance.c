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
#include "plots/kinds/kit/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 3, LEAST_POINTS = 3 };

/* Returns the tolerance of a specification, 0 if there is none, NaN if it is not a number, and the
 * specification without it. */
static double split(const char *integrator, char **base)
{
  struct shk_message unused = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(integrator, &unused);
  double tolerance = spec ? 0 : NAN;
  int at = 0;
  while (spec && at < spec->count &&
         !(spec->items[at].option && strcmp(spec->items[at].option, "tolerance") == 0))
    at++;
  if (spec && at < spec->count) {
    /* The item moves to the end, which is excluded from the text. */
    const struct shk_spec_item item = spec->items[at];
    tolerance = item.kind == SHK_SPEC_NUMBER ? strtod(item.text, NULL) : NAN;
    memmove(&spec->items[at], &spec->items[at + 1],
            (size_t)(spec->count - at - 1) * sizeof *spec->items);
    spec->items[spec->count - 1] = item;
    spec->count--;
    *base = shk_spec_text(spec);
    spec->count++;
  } else {
    *base = shk_copy_text(integrator);
  }
  shk_spec_free(spec);
  return tolerance;
}

/* Inserts a step in a list of the largest ones; returns its place, or MOST_PANELS. */
static int place_of(double *steps, double step)
{
  int at = 0;
  while (at < MOST_PANELS && steps[at] > step)
    at++;
  if (at < MOST_PANELS && steps[at] < step) {
    memmove(&steps[at + 1], &steps[at], (size_t)(MOST_PANELS - at - 1) * sizeof *steps);
    steps[at] = step;
  }
  return at;
}

/* Adds the slopes of a group: an even panel has those against the tolerance, the next one those
 * solved to round-off with the same step. A method has the number of the first with its base. */
static void gather(struct shk_curves *curves, double *steps, const struct shk_drawing *drawing,
                   int group, const char *precision, char *const *bases, const double *tolerances)
{
  const struct shk_drawn_cell *cell;
  for (int pass = 0; pass < 2; pass++)
    for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, false, "run", precision));) {
      const double tolerance = tolerances[cell->method];
      const int panel = cell->cell->step ? place_of(steps, cell->cell->numbers.step) : MOST_PANELS;
      if (isnan(tolerance) || panel == MOST_PANELS || pass == 0)
        continue;
      int first = 0;
      while (strcmp(bases[first], bases[cell->method]) != 0)
        first++;
      const struct shk_drift *const drift = shk_drawn_drift(drawing, cell->record);
      double *const y = shk_curves_at(curves, 2 * panel + !(tolerance > 0), first, tolerance)->y;
      y[0] = drift ? drift->slope : (double)NAN;
      y[1] = drift ? drift->slope_half_width : (double)NAN;
    }
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const size_t methods = (size_t)drawing->method_count;
  char **const bases = shk_allocate(methods + 1, sizeof *bases);
  double *const tolerances = shk_allocate(methods + 1, sizeof *tolerances);
  double steps[MOST_PANELS] = {0};
  struct shk_curves curves = {0};
  struct shk_drawing renamed = *drawing;
  bool ok = true;
  for (size_t m = 0; m < methods; m++)
    tolerances[m] = split(drawing->methods[m], &bases[m]);
  gather(&curves, steps, drawing, group, precision, bases, tolerances);
  if (shk_curves_longest(&curves) >= LEAST_POINTS) {
    struct shk_chart chart;
    int panels = 0;
    renamed.shown = bases;
    shk_drawing_chart(drawing, &chart, group, NULL, precision);
    shk_curves_add_methods(&curves, &renamed, &chart);
    for (; panels < MOST_PANELS && steps[panels] > 0; panels++)
      shk_chart_list(&chart, "steps", 0, steps[panels]);
    shk_curves_write(&curves, &renamed, &chart, 2 * panels, NULL, 2,
                     "tolerance, slope, half-width");
    shk_chart_set(&chart, "panels", panels);
    shk_chart_note(&chart, "filled: gains energy, open: loses it, arrow: upper bound");
    ok = shk_drawing_draw(drawing, &chart);
  }
  free(curves.points);
  free(tolerances);
  shk_free_texts(bases, drawing->method_count);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_tolerance = {
    .shows = "energy slope against the tolerance of the multiplier solve, a panel for each step; "
             "needs three tolerances of a method",
    .of_precision = draw};
