/*
 * Figures in which each point represents one cell or a few cells: error against cost, quantities
 * against an option of the problem or method, defects against the step size, drift against the
 * tolerance, and round-off against time. Cells that did not finish leave gaps in the lines.
 */
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/swept.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_VALUES = 4 };

/* Points on the methods' curves in all panels, collected in any order. Initialize with {0}. */
struct curves {
  int count;
  double zero; /* position of x = 0 on a logarithmic axis; 0 if it is not drawn */
  struct curve_point {
    int panel, method; /* from 0 */
    double x, y[POINT_VALUES];
  } * points;
};

/* Returns the values of a curve at x. If the point does not exist, it is added with NaN values. The
 * pointer is valid until another point is added. */
static double *point_at(struct curves *curves, int panel, int method, double x)
{
  for (int i = curves->count - 1; i >= 0; i--) {
    struct curve_point *const point = &curves->points[i];
    if (point->panel == panel && point->method == method && point->x == x)
      return point->y;
  }
  struct curve_point *const point = SHK_APPEND(curves->points, curves->count);
  *point = (struct curve_point){panel, method, x, {NAN, NAN, NAN, NAN}};
  return point->y;
}

/* Returns true if some curve has at least `least` points with a finite value. */
static bool has_enough_points(const struct curves *curves, int least)
{
  for (int i = 0; i < curves->count; i++) {
    const struct curve_point *const p = &curves->points[i];
    int count = 0;
    for (int j = 0; j < curves->count; j++)
      count += curves->points[j].panel == p->panel && curves->points[j].method == p->method &&
               isfinite(curves->points[j].y[0]);
    if (count >= least)
      return true;
  }
  return false;
}

static int by_place(const void *a, const void *b)
{
  const struct curve_point *const p = a, *const q = b;
  if (p->panel != q->panel)
    return p->panel - q->panel;
  return p->method != q->method ? p->method - q->method : (p->x > q->x) - (p->x < q->x);
}

/* Adds the methods that have a value in this panel and writes a data block for each of them. Each
 * row contains x and the first `values` values; rows are sorted by x. If `set` is positive, it is
 * the number of an additional data set, whose blocks for the same methods come next. `at_x` is the
 * index of the value that is used as the horizontal coordinate, or -1 for x itself. */
static void write_curves(struct curves *curves, const struct shk_drawing *drawing,
                         struct shk_chart *chart, int panel, int set, int values, int at_x,
                         const char *columns)
{
  qsort(curves->points, (size_t)curves->count, sizeof *curves->points, by_place);
  for (int pass = 0; pass < (set > 0 ? 3 : 2); pass++)
    for (int m = 0; m < drawing->methods.count; m++) {
      bool any = false;
      for (int i = 0; i < curves->count; i++)
        any = any ||
              ((curves->points[i].panel == panel || (set > 0 && curves->points[i].panel == set)) &&
               curves->points[i].method == m && isfinite(curves->points[i].y[0]));
      if (any && pass == 0)
        shk_drawing_add(drawing, chart, m, "");
      if (!any || pass == 0)
        continue;
      shk_chart_block(chart, drawing->shown[m], "%s", columns);
      for (int i = 0; i < curves->count; i++) {
        const struct curve_point *const point = &curves->points[i];
        if (point->panel != (pass == 1 ? panel : set) || point->method != m)
          continue;
        shk_chart_row(chart, &point->x, values + 1);
        if (pass == 1)
          shk_chart_point(chart, m,
                          at_x >= 0       ? point->y[at_x]
                          : point->x == 0 ? curves->zero
                                          : point->x,
                          point->y[0]);
      }
      shk_chart_point(chart, m, NAN, NAN);
    }
}

static double positive_or_nan(double value)
{
  return value > 0 && isfinite(value) ? value : (double)NAN;
}

/* ---- error against cost ---- */

/* For each method that is run with tolerances, labels the first and last points with their
 * tolerances. Returns true if there are any such points. */
static bool tag_tolerances(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const struct curves *curves, int at_x)
{
  bool any = false;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct curve_point *ends[2] = {NULL};
    bool by_tolerance = false;
    for (int i = 0; i < drawing->cell_count && !by_tolerance; i++)
      by_tolerance = drawing->cells[i].group == group && drawing->cells[i].method == m &&
                     drawing->cells[i].cell->tolerance;
    for (int i = 0; by_tolerance && i < curves->count; i++) {
      const struct curve_point *const point = &curves->points[i];
      if (point->method != m || !isfinite(point->y[0]))
        continue;
      ends[0] = !ends[0] || point->x > ends[0]->x ? point : ends[0];
      ends[1] = !ends[1] || point->x < ends[1]->x ? point : ends[1];
    }
    for (int e = 0; e < 2 && ends[0] != ends[1]; e++) {
      const double x = ends[e]->y[at_x], y = ends[e]->y[0];
      const int power = (int)floor(log10(ends[e]->x) + 1e-9);
      const double digit = ends[e]->x / pow(10, power);
      const struct shk_phrase factor =
          digit < 1.01 ? shk_phrase("%s", "") : shk_phrase("%.3g×", digit);
      any = true;
      shk_chart_tag(
          chart, (const double[]){x, x}, (const double[]){y, y},
          shk_phrase("tol. %s10^{%s%d}", factor.text, power < 0 ? "−" : "", abs(power)).text,
          digit < 1.01 ? shk_phrase("tol.\\ $10^{%d}$", power).text
                       : shk_phrase("tol.\\ $%.3g\\times10^{%d}$", digit, power).text);
    }
  }
  return any;
}

/* Labels the ends of the first curve with fixed steps, and tells the range of steps in the caption,
 * if all such curves have the same range. */
static void tag_steps(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                      const struct curves *curves, int at_x)
{
  const struct curve_point *ends[2] = {NULL};
  double range[2] = {0, 0};
  bool same = true;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct curve_point *found[2] = {NULL};
    for (int k = 0; k < drawing->cell_count; k++) {
      const struct shk_drawn_cell *const cell = &drawing->cells[k];
      if (cell->group != group || cell->method != m || !cell->cell->step || cell->cell->tolerance)
        continue;
      for (int i = 0; i < curves->count; i++) {
        const struct curve_point *const point = &curves->points[i];
        if (point->method != m || point->x != cell->cell->numbers.step || !isfinite(point->y[0]))
          continue;
        found[0] = !found[0] || point->x > found[0]->x ? point : found[0];
        found[1] = !found[1] || point->x < found[1]->x ? point : found[1];
      }
    }
    for (int e = 0; e < 2 && found[0]; e++) {
      same = same && (range[e] == 0 || range[e] == found[e]->x);
      range[e] = found[e]->x;
      ends[e] = ends[e] ? ends[e] : found[e];
    }
  }
  if (!ends[0] || !same || ends[0] == ends[1])
    return;
  for (int e = 0; e < 2; e++) {
    const double x[] = {ends[e]->y[at_x], ends[e]->y[at_x]}, y[] = {ends[e]->y[0], ends[e]->y[0]};
    const struct shk_phrase step = shk_phrase_rounded(range[e], 3);
    shk_chart_tag(chart, x, y, shk_phrase("{/:Italic h} = %s", step.text).text,
                  shk_phrase("$h=%s$", step.text).text);
  }
  shk_chart_note(chart, "All fixed step sizes range from %s to %s",
                 shk_phrase_rounded(range[0], 3).text, shk_phrase_rounded(range[1], 3).text);
}

static bool draw_work(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                      const char *precision, const char *part)
{
  struct curves curves = {0};
  const bool timed = strcmp(part, "time") == 0;
  bool at_floor = false;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_curve *curve = shk_drawing_curve(drawing, group, SHK_BLOCK_Q, precision, m);
    for (int i = 0; curve && i < curve->count; i++) {
      const struct shk_point *const point = &curve->points[i];
      double *const y = point_at(&curves, 0, m, point->step);
      const double reference = isfinite(point->reference_error) ? point->reference_error : 0;
      y[1] = positive_or_nan(point->seconds);
      y[2] = positive_or_nan(point->work);
      /* A relative error above 10 is meaningless. */
      y[0] = isnan(y[timed ? 1 : 2]) || point->error > 10 ? (double)NAN
                                                          : positive_or_nan(point->error);
      y[3] = point->error <= point->floor + reference;
      at_floor = at_floor || (y[3] > 0 && isfinite(y[0]));
    }
  }
  if (has_enough_points(&curves, 1)) {
    struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
    panel->x.log = panel->y.log = panel->labelled = true;
    shk_chart_part(chart, timed ? "CPU time" : part, timed ? "CPU time" : part);
    shk_chart_set(chart, "cost", timed ? 3 : 4);
    shk_chart_quantity(chart, "ylabel", SHK_QUANTITY_ERROR, SHK_BLOCK_Q, NULL, "");
    /* there is no room for more words below narrow panels */
    const bool wide = !drawing->several_parts || (drawing->asked && drawing->asked->width > 12);
    const char *const cost = timed  ? "CPU time (s)"
                             : wide ? "evaluations of force and Jacobian"
                                    : "evaluations";
    shk_chart_words(chart, "xlabel", cost, cost);
    shk_chart_note(chart, "Errors are the largest up to t = %s", drawing->groups[group].until);
    if (!timed)
      shk_chart_note(chart,
                     "Evaluations are those of forces and of constraint Jacobians, added up");
    if (timed)
      shk_chart_note(chart, "The time of a short run is the smallest of up to 15");
    write_curves(&curves, drawing, chart, 0, 0, 4, timed ? 1 : 2,
                 "step or tolerance, error, CPU seconds, evaluations of force and Jacobian, at the "
                 "floor");
    if (tag_tolerances(drawing, chart, group, &curves, timed ? 1 : 2))
      shk_chart_note(chart, "Grey: tolerances of the adjacent points");
    tag_steps(drawing, chart, group, &curves, timed ? 1 : 2);
    if (at_floor)
      chart->odd = "at round-off";
  }
  free(curves.points);
  return true;
}

const struct shk_figure_kind shk_figure_kind_work_precision = {.measure = "error",
                                                               .title = "Error against the cost",
                                                               .draw = draw_work,
                                                               .each_problem = true,
                                                               .by_step = true};

/* ---- a quantity as a function of an option ---- */

static struct shk_phrase parameter_of(const struct shk_named_quantity *named)
{
  return shk_phrase("%.*s", named->length, named->parameter ? named->parameter : "");
}

/* Returns a quantity of a run in the unit of its axis, or NaN if the run does not contain it.
 * Counts are per step. CPU time is in ns per step and constraint; it is NaN for runs with fewer
 * than FEWEST_STEPS steps. */
static double quantity_of(const struct shk_drawing *drawing, const struct shk_drawn_cell *cell,
                          const struct shk_named_quantity *named)
{
  enum { FEWEST_STEPS = 10 };
  const struct shk_outcome *const outcome = &cell->record->outcome;
  if (named->entry->scalar) {
    const struct shk_phrase parameter = parameter_of(named);
    const double steps = shk_recorded(outcome, SHK_QUANTITY_WORK_STEPS, NULL),
                 value = shk_recorded(outcome, named->id, parameter.text);
    return named->entry->kind == SHK_KIND_COUNT   ? value / steps
           : named->entry->kind != SHK_KIND_CLOCK ? value
           : steps >= FEWEST_STEPS                ? 1e9 * value / steps / outcome->m
                                                  : (double)NAN;
  }
  const struct shk_curve *const curve =
      shk_drawing_curve(drawing, cell->group, named->block, cell->cell->precision, cell->method);
  for (int i = 0; curve && i < curve->count; i++)
    if (curve->points[i].record == cell->record)
      return curve->points[i].error;
  return NAN;
}

/* Adds a quantity of the runs that use this step. The x coordinate is the value of the option. A
 * method without a value is given a point at each end of the axis. */
static void add_values(struct curves *curves, const struct shk_drawing *drawing,
                       const struct shk_swept_value *swept, const struct shk_axis *axis,
                       const char *precision, const char *step,
                       const struct shk_named_quantity *named)
{
  const enum shk_measure_id measure = named->entry->measure;
  const bool in_steps = measure != SHK_MEASURES && shk_measures[measure].in == SHK_IN_STEPS;
  const bool level = isnan(swept->value);
  const struct shk_drawn_cell *cell;
  for (int at = 0;
       (cell = shk_drawing_next(drawing, &at, swept->group,
                                in_steps ? shk_measures[measure].name : "run", precision));) {
    if ((swept->method >= 0 && swept->method != cell->method) ||
        !shk_record_finished(cell->record) || strcmp(shk_cell_step(cell->cell, "own"), step) != 0)
      continue;
    const double value = quantity_of(drawing, cell, named);
    const int method = level || swept->method < 0 ? cell->method : swept->curve;
    for (int end = 0; end <= level; end++)
      point_at(curves, 0, method, !level ? swept->value : end ? axis->to : axis->from)[0] = value;
  }
}

/* Returns the axis for the values of a sweep. It is logarithmic if the values are positive and far
 * apart. If they span at least a decade, they can also include zero, which is placed at the
 * beginning of the axis, to the left of a break. *broken is set to the position of the break, or to
 * 0 if there is none. */
static struct shk_axis axis_of(const struct shk_sweep *sweep, double *broken)
{
  struct shk_axis axis = {.from = INFINITY, .to = -INFINITY};
  bool zero = false;
  for (int v = 0; v < sweep->count; v++) {
    const double value = sweep->values[v].value;
    zero = zero || value == 0;
    axis.from = value == 0 ? axis.from : fmin(axis.from, value);
    axis.to = fmax(axis.to, value);
  }
  axis.log = axis.from > 0 && axis.to >= (zero ? 10 : 3.5) * axis.from;
  *broken = zero && axis.log ? axis.from * pow(axis.from / axis.to, 0.12) : 0;
  if (zero)
    axis.from = axis.log ? *broken * *broken / axis.from : fmin(axis.from, 0);
  return axis;
}

/* Returns true if the vertical axis is logarithmic, and turns zeros into gaps in that case. The
 * axis is linear for counts and negative values. It is also linear for quantities that are not
 * errors, unless all values are tiny. */
static bool set_gaps(struct curves *curves, const struct shk_quantity *entry)
{
  double least = 0, most = 0;
  for (int i = 0; i < curves->count; i++) {
    least = fmin(least, curves->points[i].y[0]);
    most = fmax(most, curves->points[i].y[0]);
  }
  const bool log = least == 0 && entry->kind != SHK_KIND_COUNT &&
                   (entry->kind != SHK_KIND_NUMBER || most < 1e-3);
  for (int i = 0; i < curves->count && log; i++)
    curves->points[i].y[0] = positive_or_nan(curves->points[i].y[0]);
  return log;
}

/* Removes methods that belong to no sweep if their constraint violation is at round-off while that
 * of every other method is at least a thousand times larger. Drawing them would leave most of the
 * axis empty. Returns a string that names the removed methods, or NULL if there are none. The
 * caller frees the string. */
static char *take_out_rounding(struct curves *curves, const struct shk_drawing *drawing,
                               const struct shk_sweep *sweep, const char *precision,
                               const char *step, const struct shk_named_quantity *named)
{
  const bool hidden = named->id == SHK_QUANTITY_HIDDEN_MAX;
  double level = 0;
  char *text = NULL;
  for (int v = 0; v < sweep->count && sweep->names; v++) {
    const int method = sweep->values[v].method;
    const struct shk_drawn_cell *cell;
    double least = INFINITY;
    bool rounding = false, taken = false;
    for (int at = 0; (cell = shk_drawing_next(drawing, &at, sweep->first, "run", precision));)
      rounding = rounding || (isnan(sweep->values[v].value) && cell->method == method &&
                              cell->record && shk_is_rounding(&cell->record->outcome, hidden) &&
                              strcmp(shk_cell_step(cell->cell, "own"), step) == 0);
    for (int i = 0; i < curves->count; i++)
      if (curves->points[i].method != method)
        least = fmin(least, curves->points[i].y[0]);
    for (int i = 0; i < curves->count && rounding && isfinite(least); i++)
      if (curves->points[i].method == method && 1000 * curves->points[i].y[0] < least) {
        level = fmax(level, curves->points[i].y[0]);
        curves->points[i].y[0] = NAN;
        taken = true;
      }
    if (taken)
      shk_append_text(&text, "%s%s", text ? ", " : "", sweep->names[method]);
  }
  char *const strip =
      text ? shk_print_text("round-off %s: %s", shk_phrase_number(level, 2).text, text) : NULL;
  free(text);
  return strip;
}

/* Adds a note for each method that has no finished run with this step. */
static void note_missing(struct shk_chart *chart, const struct shk_drawing *drawing,
                         const struct shk_sweep *sweep, const char *precision, const char *step)
{
  for (int v = 0; v < sweep->count && sweep->names; v++) {
    const char *status = "not with this step";
    const struct shk_drawn_cell *cell;
    for (int at = 0; (cell = shk_drawing_next(drawing, &at, sweep->first, "run", precision));)
      if (cell->method == sweep->values[v].method &&
          strcmp(shk_cell_step(cell->cell, "own"), step) == 0)
        status = shk_record_finished(cell->record) ? NULL
                 : cell->record                    ? shk_record_status(cell->record)
                                                   : "not run";
    if (status)
      shk_chart_note(chart, "%s is left out on %s: %s", drawing->shown[sweep->values[v].method],
                     drawing->groups[sweep->first].shown, status);
  }
}

/* Labels the axis with the name of the option, or with a Greek letter if one is customary. */
static void label_option(struct shk_chart *chart, const char *option)
{
  static const char *const letters[][3] = {
      {"alpha", "α", "$\\alpha$"}, {"beta", "β", "$\\beta$"}, {"rho", "ρ", "$\\rho$"}};
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (strcmp(option, letters[i][0]) == 0) {
      shk_chart_words(chart, "xlabel", shk_phrase("{/:Italic %s}", letters[i][1]).text,
                      letters[i][2]);
      return;
    }
  shk_chart_words(chart, "xlabel", option, option);
}

/* Methods that are drawn as horizontal lines get no marks. Dotted lines would then be faint, so they
 * become dash-dotted. */
static void set_level_look(struct shk_look *look)
{
  look->mark = "none";
  if (!look->own_line && strcmp(look->line, "dotted") == 0)
    look->line = "dash-dotted";
}

/* Adds a panel for a quantity if at least one run contains it. */
static bool draw_quantity(struct shk_drawing *drawing, struct shk_chart *chart,
                          const struct shk_sweep *sweep, const char *precision, const char *step,
                          const char *quantity)
{
  struct curves curves = {0};
  struct shk_named_quantity named = shk_named_finding(quantity);
  named = named.id == SHK_QUANTITIES ? shk_named_scalar(quantity) : named;
  const struct shk_quantity *const entry = named.entry;
  double broken;
  const struct shk_axis axis = axis_of(sweep, &broken);
  curves.zero = broken > 0 ? axis.from : 0;
  for (int v = 0; v < sweep->count; v++)
    add_values(&curves, drawing, &sweep->values[v], &axis, precision, step, &named);
  const bool violation =
      named.id == SHK_QUANTITY_CONSTRAINT_MAX || named.id == SHK_QUANTITY_HIDDEN_MAX;
  char *const rounding =
      violation ? take_out_rounding(&curves, drawing, sweep, precision, step, &named) : NULL;
  const bool log = set_gaps(&curves, entry), any = has_enough_points(&curves, 1);
  if (any) {
    const struct shk_phrase parameter = parameter_of(&named);
    const char *const unit = entry->kind == SHK_KIND_COUNT   ? " a step"
                             : entry->kind == SHK_KIND_CLOCK ? ", ns per step and constraint"
                                                             : "";
    const size_t methods = (size_t)drawing->methods.count;
    char **const shown = drawing->shown;
    struct shk_look *const looks = drawing->looks;
    struct shk_panel *const panel = shk_drawing_panel(drawing, chart, sweep->first);
    panel->x.log = axis.log;
    panel->y.log = log;
    if (drawing->several_parts) {
      const size_t length = strlen(quantity);
      const bool most = length > 4 && strcmp(quantity + length - 4, " max") == 0;
      const struct shk_phrase title =
          shk_phrase("%.*s", (int)(most ? length - 4 : length), quantity);
      shk_chart_part(chart, title.text, title.text);
    }
    if (strncmp(sweep->words.text, "step ", 5) == 0)
      shk_chart_in_step(chart, strtod(step, NULL), drawing->groups[sweep->first].si ? " s" : "");
    label_option(chart, sweep->option);
    drawing->title = shk_phrase("Influence of %.60s", sweep->option);
    if (rounding)
      shk_chart_strip(chart, rounding);
    shk_chart_set(chart, "zero", curves.zero);
    shk_chart_set(chart, "broken", broken);
    if (entry->kind == SHK_KIND_CLOCK)
      shk_chart_words(chart, "ylabel", unit + 2, unit + 2);
    else
      shk_chart_quantity(chart, "ylabel", named.id, named.block, parameter.text, unit);
    drawing->shown = sweep->names ? sweep->names : shown;
    drawing->looks = shk_allocate(methods + 1, sizeof *looks);
    memcpy(drawing->looks, looks, methods * sizeof *looks);
    for (int v = 0; v < sweep->count; v++)
      if (isnan(sweep->values[v].value))
        set_level_look(&drawing->looks[sweep->values[v].method]);
    drawing->swept = sweep->option;
    write_curves(&curves, drawing, chart, 0, 0, 1, -1,
                 shk_phrase("option, %s%s", quantity, unit).text);
    drawing->swept = NULL;
    free(drawing->looks);
    drawing->looks = looks;
    drawing->shown = shown;
    if (strcmp(sweep->words.text, drawing->suffix.text) == 0)
      shk_chart_note(chart, "All are run with %s, until t = %s", sweep->words.text,
                     drawing->groups[sweep->first].until);
    else
      shk_chart_note(chart, "%s uses %s", drawing->groups[sweep->first].shown, sweep->words.text);
    if (broken > 0)
      shk_chart_note(chart, "Dotted lines lead to the value 0, to the left of the break");
    note_missing(chart, drawing, sweep, precision, step);
  }
  free(rounding);
  free(curves.points);
  return any;
}

/* Adds a panel for the quantity that the part names. If there is no part, adds panels for the error
 * of q and for a second quantity: the number of iterations if the option belongs to the problem, or
 * the constraint violation if it belongs to the method. If no errors are available, CPU time is
 * shown instead. */
static bool draw_parameter(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *part)
{
  struct shk_sweep sweep;
  const char *step = NULL;
  const bool problems = shk_sweep_gather(&sweep, drawing, group);
  if (problems && sweep.first == group)
    step = shk_sweep_vary(drawing, &sweep);
  else if (!problems && !shk_sweep_methods(&sweep, drawing, group, &step))
    return true;
  const char *const second = problems ? "work-iterations" : "constraint max";
  if (step && part)
    draw_quantity(drawing, chart, &sweep, precision, step, part);
  else if (step && draw_quantity(drawing, chart, &sweep, precision, step, "error of q"))
    draw_quantity(drawing, chart, &sweep, precision, step, second);
  else if (step && (problems || !draw_quantity(drawing, chart, &sweep, precision, step, second)))
    draw_quantity(drawing, chart, &sweep, precision, step, "cpu-seconds");
  shk_sweep_clear(&sweep);
  return true;
}

const struct shk_figure_kind shk_figure_kind_parameter = {
    .title = "Influence of an option", .draw = draw_parameter, .stacked = true};

/* ---- defects against the step ---- */

/* Adds points for a quantity and its floor. The floor is the one recorded for the cell, or else the
 * rounding error of a constraint of size one. Returns false if the quantity was not measured. */
static bool add_quantity(struct curves *curves, const struct shk_drawing *drawing, int group,
                         const char *precision, enum shk_quantity_id quantity, int panel)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_measure_entry *const measure = &shk_measures[entry->measure];
  const char *const kind = measure->in == SHK_IN_STEPS ? measure->name : "run";
  const struct shk_drawn_cell *cell;
  bool any = false;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, kind, precision));) {
    if (!cell->record || !cell->cell->step || cell->cell->tolerance)
      continue;
    double *const y = point_at(curves, panel, cell->method, cell->cell->numbers.step);
    const bool measured = entry->floor == SHK_FLOOR_CELL;
    y[1] = measured ? 0 : shk_precision_named(precision)->epsilon;
    if (!shk_record_finished(cell->record))
      continue;
    y[0] = shk_recorded(&cell->record->outcome, quantity, NULL);
    if (measured)
      y[1] = shk_recorded(&cell->record->outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
    any = any || isfinite(y[0]);
  }
  return any;
}

/* Adds a panel for each structure measure of the study, followed by a panel for the largest |g|. */
static bool draw_structure(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *part)
{
  enum shk_quantity_id shown[SHK_QUANTITIES + 1];
  struct curves curves = {0};
  int rows = 0;
  (void)part;
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    shown[rows] = (enum shk_quantity_id)i;
    rows += entry->scalar && entry->parameter == SHK_BY_NOTHING && entry->measure != SHK_MEASURES &&
            shk_measures[entry->measure].in == SHK_IN_STEPS &&
            add_quantity(&curves, drawing, group, precision, shown[rows], rows);
  }
  shown[rows] = SHK_QUANTITY_CONSTRAINT_MAX;
  rows += rows > 0 && add_quantity(&curves, drawing, group, precision, shown[rows], rows);
  for (int k = 0; k < rows; k++) {
    struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
    panel->x.log = panel->y.log = true;
    shk_chart_part(chart, shk_quantities[shown[k]].figure, shk_quantities[shown[k]].latex);
    shk_chart_words(chart, "ylabel", "largest value", "largest value");
    shk_chart_step(chart, &drawing->groups[group]);
    write_curves(
        &curves, drawing, chart, k, 0, 2, -1,
        shk_phrase("%s: step, largest value, floor", shk_quantities[shown[k]].scalar).text);
  }
  if (rows > 0)
    shk_chart_note(chart, "Round-off dominates in grey areas");
  free(curves.points);
  return true;
}

const struct shk_figure_kind shk_figure_kind_structure = {
    .title = "Defects of one step", .only_by_name = true, .draw = draw_structure};

/* ---- drift against the tolerance ---- */

/* Returns the tolerance given in an integrator specification, or 0 if there is none. */
static double tolerance_of(const char *integrator)
{
  const char *const at = strstr(integrator, "tolerance=");
  return at ? strtod(strchr(at, '=') + 1, NULL) : 0;
}

/* Replaces the points of the last panel. The new points are the magnitudes of slopes or, for slopes
 * that are not significant, the two ends of an arrow that starts at the upper bound. */
static void set_slopes(struct shk_chart *chart, const struct curves *curves, int set)
{
  chart->panels[chart->panel_count - 1].point_count = 0;
  for (int i = 0; i < curves->count; i++) {
    const struct curve_point *const point = &curves->points[i];
    const double size = fabs(point->y[0]), half = point->y[1] > 0 ? point->y[1] : 0;
    const bool bound = size <= half;
    if (point->panel / 2 * 2 != set || !(point->x > 0 || bound))
      continue;
    shk_chart_point(chart, point->method, point->x > 0 ? point->x : NAN,
                    bound ? size + half : size);
    shk_chart_point(chart, point->method, point->x > 0 ? point->x : NAN,
                    bound ? 0.4 * (size + half) : size - half);
    shk_chart_point(chart, point->method, NAN, NAN);
  }
}

/* Adds one panel for each of the first few step sizes. Methods that differ only in their tolerance
 * form a single curve, whose index is that of the first such method. A panel contains two data
 * sets: the slopes as a function of the tolerance, and the slopes of methods that solve to
 * round-off. */
static bool draw_tolerance(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *part)
{
  enum { MOST_PANELS = 3, LEAST_POINTS = 3 };
  const size_t methods = (size_t)drawing->methods.count;
  char **const bases = shk_allocate(methods + 1, sizeof *bases),
               **const names = shk_allocate(methods + 1, sizeof *names);
  struct shk_index steps = {0};
  struct curves curves = {0};
  char **const shown = drawing->shown;
  const struct shk_drawn_cell *cell;
  (void)part;
  for (size_t m = 0; m < methods; m++) {
    bases[m] = shk_without_option(drawing->methods.texts[m], "tolerance");
    names[m] = shk_study_shown(drawing->from->study, bases[m]);
  }
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, "run", precision));) {
    const double tolerance = tolerance_of(cell->cell->integrator);
    const int panel = cell->cell->step ? shk_index_text(&steps, cell->cell->step) : MOST_PANELS;
    int first = 0;
    while (strcmp(bases[first], bases[cell->method]) != 0)
      first++;
    if (panel >= MOST_PANELS)
      continue;
    const struct shk_drift *const drift = shk_drawn_drift(drawing, cell->record);
    double *const y = point_at(&curves, 2 * panel + !(tolerance > 0), first, tolerance);
    y[0] = drift ? drift->slope : (double)NAN;
    y[1] = drift ? drift->slope_half_width : (double)NAN;
  }
  const bool enough = has_enough_points(&curves, LEAST_POINTS);
  struct shk_index curves_of = {0}; /* the bases, each once */
  for (size_t m = 0; m < methods; m++)
    shk_index_text(&curves_of, bases[m]);
  struct shk_look *const own = drawing->looks, *const looks =
                                                   shk_allocate(2 * methods + 1, sizeof *looks);
  int *const company = shk_allocate(methods * methods + 1, sizeof *company);
  for (size_t i = 0; i < methods * methods; i++)
    company[i] = 1;
  shk_drawing_looks(drawing, looks + methods, &curves_of, company);
  for (size_t m = 0; m < methods; m++)
    looks[m] = looks[methods + (size_t)shk_index_find(&curves_of, bases[m])];
  drawing->looks = looks;
  drawing->shown = names;
  for (int k = 0; enough && k < steps.count && k < MOST_PANELS; k++) {
    const struct shk_phrase step = shk_phrase_rounded(strtod(steps.texts[k], NULL), 4);
    struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
    panel->x.log = panel->y.log = true;
    shk_chart_part(chart, shk_phrase("{/:Italic h} = %s", step.text).text,
                   shk_phrase("$h$ = %s", step.text).text);
    shk_chart_words(chart, "ylabel", "|slope of {/:Italic H}|", "$|$slope of $H|$");
    shk_chart_words(chart, "xlabel", "tolerance of the multiplier solve",
                    "tolerance of the multiplier solve");
    write_curves(&curves, drawing, chart, 2 * k, 2 * k + 1, 2, -1, "tolerance, slope, half-width");
    set_slopes(chart, &curves, 2 * k);
  }
  if (enough)
    shk_chart_note(chart, "Filled marks show a gain in energy and hollow ones a loss; arrows show "
                          "upper bounds; broken lines: solved to round-off");
  drawing->shown = shown;
  drawing->looks = own;
  free(company);
  free(looks);
  shk_index_clear(&curves_of);
  shk_index_clear(&steps);
  free(curves.points);
  shk_free_texts(bases, drawing->methods.count);
  shk_free_texts(names, drawing->methods.count);
  return true;
}

const struct shk_figure_kind shk_figure_kind_tolerance = {
    .title = "Energy slope against the tolerance", .draw = draw_tolerance, .stacked = true};

/* ---- round-off against time ---- */

/* Adds the squared differences between two runs, and their number, to points at the midpoints of
 * equal intervals of log t. Returns false unless the times of the two runs agree to seven digits,
 * which is the limit of single precision. */
static bool add_start(struct curves *curves, int method, const struct shk_record *low,
                      const struct shk_record *in_quad)
{
  const double width = log(1.25);
  const struct shk_series *const a = shk_drawn_series(low, SHK_SERIES_ENERGY_ERROR),
                                 *const b = shk_drawn_series(in_quad, SHK_SERIES_ENERGY_ERROR);
  bool same = a && b && a->count == b->count &&
              strcmp(shk_cell_step(&low->cell, ""), shk_cell_step(&in_quad->cell, "")) == 0;
  for (int i = 0; same && i < a->count; i++)
    same = fabs(a->time[i] - b->time[i]) <= 1e-6 * fabs(a->time[i]);
  for (int i = 0; same && i < a->count; i++) {
    const double middle = exp(width * (floor(log(a->time[i]) / width) + 0.5)),
                 difference = a->mean[i] - b->mean[i];
    double *const y = point_at(curves, 0, method, middle);
    y[1] = isnan(y[1]) ? 1 : y[1] + 1;
    y[2] = (isnan(y[2]) ? 0 : y[2]) + difference * difference;
    y[0] = sqrt(y[2] / y[1]);
  }
  return same;
}

/* Adds two grey lines below the points: one for a random walk (Brouwer's law) and one for a
 * drift. */
static void add_laws(struct shk_chart *chart, const struct curves *curves)
{
  double least = INFINITY, largest = 0, low = INFINITY;
  for (int i = 0; i < curves->count; i++)
    if (curves->points[i].y[0] > 0) {
      least = fmin(least, curves->points[i].x);
      largest = fmax(largest, curves->points[i].x);
      low = fmin(low, curves->points[i].y[0]);
    }
  const double x[] = {least, largest}, ratio = sqrt(largest / least),
               walk[] = {0.2 * low / sqrt(ratio), 0.2 * low * sqrt(ratio)},
               drift[] = {0.2 * low / ratio, 0.2 * low * ratio};
  for (int k = 0; k < 2; k++) /* these points extend the axis range */
    shk_chart_point(chart, -1, x[k], drift[k]);
  shk_chart_tag(chart, x, walk, "{/:Italic t}^{1/2}", "$t^{1/2}$");
  shk_chart_tag(chart, x, drift, "{/:Italic t}", "$t$");
}

/*
 * Draws the energy of a run minus that of the same method's run in quad precision, so that the
 * method's own error cancels. A single random walk is not conclusive. Problems with the same name
 * and different starts are therefore combined: the points are root mean squares over the starts and
 * over times within a factor of 1.25.
 */
static bool draw_round_off(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *part)
{
  const char *const problem = drawing->groups[group].problem;
  struct curves curves = {0};
  int starts = 0;
  (void)part;
  if (strcmp(precision, "quad") == 0 || !shk_drawing_is_first(drawing, group))
    return true;
  for (int at = 0, g; (g = shk_drawing_next_group(drawing, &at, problem)) >= 0;) {
    struct shk_runs low = shk_drawing_runs(drawing, g, precision, SHK_SERIES_ENERGY_ERROR),
                    in_quad = shk_drawing_runs(drawing, g, "quad", SHK_SERIES_ENERGY_ERROR);
    bool any = false;
    for (int m = 0; m < drawing->methods.count; m++)
      any |= low.of[m] && in_quad.of[m] && add_start(&curves, m, low.of[m], in_quad.of[m]);
    starts += any;
    shk_drawing_put_back(drawing);
  }
  if (starts > 0) {
    drawing->whole = true;
    struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
    panel->x.log = panel->y.log = true;
    write_curves(&curves, drawing, chart, 0, 0, 1, -1, "time, root mean square");
    add_laws(chart, &curves);
    shk_chart_time(chart, &drawing->groups[group]);
    shk_chart_words(chart, "ylabel", shk_phrase("{/:Italic H} of %s − quad", precision).text,
                    shk_phrase("$H$ of %s $-$ quad", precision).text);
    shk_chart_note(chart, "Root mean square over times and %d starts", starts);
    shk_chart_note(chart, "Grey: a random walk and a drift");
  }
  free(curves.points);
  return true;
}

const struct shk_figure_kind shk_figure_kind_round_off = {.title = "Growth of round-off",
                                                          .only_by_name = true,
                                                          .measure = "energy",
                                                          .draw = draw_round_off};
