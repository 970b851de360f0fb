/*
 * Energy and constraints along the run, from the recorded series of interval minima, means and
 * maxima.
 *
 * One run of each method is drawn: of the steps, the one that most methods have a run of, the
 * middle one of several; with tolerances the tightest. Up to three methods whose energy
 * errors are of similar size are drawn on a linear axis, mean and band from minimum to maximum, in
 * at most 400 intervals; otherwise the largest |H - H(0)| of at most 100 intervals on a logarithmic
 * one. Constraint violations are always drawn like the latter; zeros are passed over.
 *
 * Where the analysis has a slope of the energy, the key has it with its half-width. It is drawn
 * with the band of the half-width: on a linear axis as a line through the middle of the run; on a
 * logarithmic one as what it adds until t, |slope| t, where the slope is told from zero. One that
 * is not has no line there: its sign is unknown, and its bound is in the key.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_INTERVALS = 400, LINE_INTERVALS = 100, MARKS_ALONG = 6 };

/* The joined intervals of a series. */
static int per_row(const struct shk_series *series, int most)
{
  return (series->count + most - 1) / most;
}

/* The runs that a figure is made of, by method. */
struct choice {
  const struct shk_record **runs; /* method_count of them; NULL: none */
  int count;
};

static struct choice choose(const struct shk_drawing *drawing, int group, const char *precision,
                            const char *name)
{
  struct choice choice;
  choice.runs = shk_drawing_runs(drawing, group, precision, name, &choice.count);
  return choice;
}

/* ---- data ---- */

struct extent {
  double low, high; /* of the sizes that are drawn, zeros left out */
  double until;
};

/* Writes time, minimum, mean, maximum and largest size, in at most so many rows. Returns the block.
 */
static int write_series(struct shk_figure *figure, const struct shk_record *run, const char *name,
                        int most, struct extent *extent)
{
  const struct shk_series *series = shk_drawn_series(run, name);
  const struct shk_cell *cell = &run->cell;
  const int index = shk_figure_block(
      figure, "%s, %s, %s %s: middle of the interval, minimum, mean, maximum, largest size; %s",
      name, cell->integrator, cell->tolerance ? "tolerance" : "step",
      cell->tolerance ? cell->tolerance
      : cell->step    ? cell->step
                      : "of its own",
      shk_record_status(run));
  const int joined = per_row(series, most);
  double begin = 0, least = INFINITY, largest = 0;
  for (int i = 0; i < series->count; i += joined) {
    const int end = i + joined < series->count ? i + joined : series->count;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int j = i; j < end; j++) {
      low = fmin(low, series->minimum[j]);
      high = fmax(high, series->maximum[j]);
      sum += series->mean[j];
    }
    const double size = fmax(fabs(low), fabs(high)), time = (begin + series->time[end - 1]) / 2;
    begin = series->time[end - 1];
    if (!isfinite(size) || !isfinite(sum)) {
      fprintf(figure->data, "%.9g\tNaN\tNaN\tNaN\tNaN\n", time);
      continue;
    }
    fprintf(figure->data, "%.9g\t%.9g\t%.9g\t%.9g", time, low, sum / (end - i), high);
    if (size > 0) {
      fprintf(figure->data, "\t%.9g\n", size);
      least = fmin(least, size);
      largest = fmax(largest, size);
    } else {
      fputs("\t?\n", figure->data);
    }
    extent->until = fmax(extent->until, begin);
  }
  /* Where the quantity passes zero it may be tiny for a moment; that must not flatten the rest. */
  if (largest > 0) {
    extent->low = fmin(extent->low, fmax(least, 1e-4 * largest));
    extent->high = fmax(extent->high, largest);
  }
  return index;
}

/* Lines, and a few marks on them at places of the method's own. */
static void add_line(struct shk_panel *panel, int index, const char *columns, int method,
                     int methods, int rows)
{
  const int every = rows > MARKS_ALONG ? rows / MARKS_ALONG : 1;
  shk_panel_layer(panel, "index %d using %s with lines linestyle %d", index, columns, method + 1);
  shk_panel_layer(panel, "index %d every %d::%d using %s with points linestyle %d", index, every,
                  (int)((method + 0.5) * every / methods), columns, method + 1);
}

static int drawn_rows(const struct shk_record *run, const char *name, int most)
{
  const struct shk_series *series = shk_drawn_series(run, name);
  const int joined = per_row(series, most);
  return (series->count + joined - 1) / joined;
}

static void finish_log_axis(struct shk_axis *axis, const struct extent *extent)
{
  axis->logarithmic = true;
  if (!(extent->high > 0)) { /* nothing but zeros */
    axis->low = 1e-17;
    axis->high = 1e-15;
    return;
  }
  /* Beyond 40 decades there are only runs that blew up. */
  const double high = fmin(extent->high, extent->low * 1e40);
  shk_axis_range(axis, extent->low, high, high < 30 * extent->low ? 10 : 3);
}

static struct shk_label time_label(const struct shk_drawing *drawing, int group)
{
  struct shk_label label;
  const char *unit = drawing->groups[group].unit;
  snprintf(label.plain, sizeof label.plain, "time {/:Italic t}%s", unit);
  snprintf(label.latex, sizeof label.latex, "time $t$%s", unit);
  return label;
}

/* ---- the key ---- */

static void key_head(struct shk_figure *figure, int line, int column, const char *plain,
                     const char *latex)
{
  shk_key_value(figure, line, figure->width - 0.1 - (2 - column) * SHK_KEY_VALUE + 0.2,
                shk_label(plain, latex));
}

/* Whether the energy moves in a way that a slope describes. */
static bool has_slope(const struct shk_drift *drift)
{
  return drift && isfinite(drift->slope) && isfinite(drift->slope_half_width) &&
         (drift->class == SHK_ENERGY_BOUNDED || drift->class == SHK_ENERGY_DRIFT ||
          drift->class == SHK_ENERGY_UNDETERMINED);
}

/* Whether the slope's sign is known. */
static bool is_told_from_zero(const struct shk_drift *drift)
{
  return fabs(drift->slope) > drift->slope_half_width;
}

/* "slope (1.23 ± 0.04)e-9", of H per unit of t. */
static void key_slope(struct shk_figure *figure, const struct shk_drift *drift, double width)
{
  char number[64];
  if (!is_told_from_zero(drift)) {
    char *const text = shk_print_text(
        "no drift told from 0: |slope| < %s",
        shk_number_text(number, sizeof number, fabs(drift->slope) + drift->slope_half_width, 2));
    shk_key_text(figure, SHK_KEY_NAMES + 0.2, width, text);
    free(text);
    return;
  }
  shk_measured_text(number, sizeof number, drift->slope, drift->slope_half_width);
  char *const sign = strstr(number, " +- "), *const power = strstr(number, " e");
  char *const text =
      !sign   ? shk_print_text("slope %s", number)
      : power ? shk_print_text("slope (%.*s ± %.*s)%s", (int)(sign - number), number,
                               (int)(power - sign - 4), sign + 4, power + 1)
              : shk_print_text("slope %.*s ± %s", (int)(sign - number), number, sign + 4);
  shk_key_text(figure, SHK_KEY_NAMES + 0.2, width, text);
  free(text);
}

/* Step or tolerance, and the largest value over the run; below them the slope, if that is wanted
 * and there is one. */
static void fill_key(const struct shk_drawing *drawing, struct shk_figure *figure,
                     const struct choice *choice, const char *scalar, bool slopes,
                     const char *plain, const char *latex)
{
  const double values = figure->width - 0.1 - 2 * SHK_KEY_VALUE + 0.2;
  const int head = shk_drawing_head(figure, values);
  key_head(figure, head, 1, plain, latex);
  for (int m = 0; m < drawing->method_count; m++) {
    const struct shk_record *run = choice->runs[m];
    if (!run)
      continue;
    const int line = shk_key_sample(figure, m, drawing->methods[m], values - SHK_KEY_NAMES - 0.1);
    struct shk_label label = {0};
    if (run->cell.tolerance)
      snprintf(label.plain, sizeof label.plain, "tol. %.20s", run->cell.tolerance);
    else if (run->cell.step)
      snprintf(label.plain, sizeof label.plain, "h = %.20s", run->cell.step);
    snprintf(label.latex, sizeof label.latex, "%s", label.plain);
    shk_key_value(figure, line, values, label);
    struct shk_label size = shk_label_number(shk_outcome_scalar(&run->outcome, scalar));
    if (run->end != SHK_END_FINISHED || run->outcome.code != SHK_OK) {
      snprintf(size.plain, sizeof size.plain, "to t = %.3g", run->outcome.reached);
      snprintf(size.latex, sizeof size.latex, "to $t = %.3g$", run->outcome.reached);
    }
    shk_key_value(figure, line, values + SHK_KEY_VALUE, size);
    const struct shk_drift *const drift = slopes ? shk_drawn_drift(drawing, run) : NULL;
    if (has_slope(drift))
      key_slope(figure, drift, figure->width - SHK_KEY_NAMES - 0.5);
  }
}

/* ---- figures ---- */

static double largest(const struct shk_record *run, const char *name)
{
  const struct shk_series *series = shk_drawn_series(run, name);
  double size = 0;
  for (int i = 0; i < series->count; i++)
    size = fmax(size, fmax(fabs(series->minimum[i]), fabs(series->maximum[i])));
  return size;
}

/* Few enough and near enough to each other to be drawn as bands. */
static bool is_linear(const struct shk_drawing *drawing, const struct choice *choice)
{
  double low = INFINITY, high = 0;
  for (int m = 0; m < drawing->method_count; m++)
    if (choice->runs[m]) {
      const double size = largest(choice->runs[m], "energy-error");
      low = fmin(low, size);
      high = fmax(high, size);
    }
  return choice->count <= 3 && high < 30 * low && isfinite(high);
}

static struct shk_label energy_label(const char *unit, int exponent, bool absolute)
{
  static const char *const bars[] = {"", "|"};
  struct shk_label label;
  if (exponent == 0) {
    snprintf(label.plain, sizeof label.plain, "%s{/:Italic H} − {/:Italic H}(0)%s%s",
             bars[absolute], bars[absolute], unit);
    snprintf(label.latex, sizeof label.latex, "$%sH-H(0)%s$%s", bars[absolute], bars[absolute],
             unit);
  } else {
    snprintf(label.plain, sizeof label.plain, "10^{%d} × [{/:Italic H} − {/:Italic H}(0)]%s",
             exponent, unit);
    snprintf(label.latex, sizeof label.latex, "$10^{%d}\\times[H-H(0)]$%s", exponent, unit);
  }
  return label;
}

/* The line of the drift through the middle of the run, and the band that its slope's half-width
 * spans about there; on a logarithmic axis what it adds until each time. */
static bool add_drift(const struct shk_drawing *drawing, struct shk_figure *figure,
                      struct shk_panel *panel, const struct shk_record *run, bool linear,
                      int exponent, int method)
{
  enum { PIECES = 40 };
  const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
  const struct shk_series *const series = shk_drawn_series(run, "energy-error");
  if (!has_slope(drift) || (!linear && !is_told_from_zero(drift)))
    return false;
  double mean = 0;
  for (int i = 0; linear && i < series->count; i++)
    mean += series->mean[i] / series->count;
  const double end = series->time[series->count - 1], origin = linear ? end / 2 : 0;
  const double slope = linear ? drift->slope : fabs(drift->slope);
  const int index = shk_figure_block(
      figure, "drift, %s: slope %.3g, half-width %.2g: time, line, lower and upper end of the band",
      run->cell.integrator, drift->slope, drift->slope_half_width);
  for (int i = linear ? 0 : 1; i <= PIECES; i++) {
    /* On the logarithmic axis it bends at the beginning. */
    const double part = (double)i / PIECES, time = end * (linear ? part : part * part),
                 from = time - origin, line = mean + slope * from,
                 half = fabs(drift->slope_half_width * from);
    fprintf(figure->data, "%.9g\t%.9g\t%.9g\t%.9g\n", time, line, line - half, line + half);
  }
  shk_panel_layer(panel, "index %d using 1:($3*1e%d):($4*1e%d) with filledcurves linestyle %d",
                  index, exponent, exponent, method + 1);
  shk_panel_layer(panel,
                  "index %d using 1:($2*1e%d) with lines linestyle %d linewidth 0.8 dashtype solid",
                  index, exponent, method + 1);
  return true;
}

bool shk_draw_energy(struct shk_drawing *drawing, int group, const char *precision)
{
  static const char name[] = "energy-error";
  const struct choice choice = choose(drawing, group, precision, name);
  if (choice.count == 0) {
    free(choice.runs);
    return true;
  }
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, "energy", group, NULL, precision, 1, 1);
  struct extent extent = {INFINITY, 0, 0};
  const bool linear = is_linear(drawing, &choice);
  const int most = linear ? BAND_INTERVALS : LINE_INTERVALS;
  struct shk_panel *panel = shk_figure_panel(&figure, 0, 0);
  int *blocks = shk_allocate((size_t)drawing->method_count + 1, sizeof *blocks);
  for (int m = 0; m < drawing->method_count; m++)
    if (choice.runs[m])
      blocks[m] = write_series(&figure, choice.runs[m], name, most, &extent);
  const int exponent = linear && extent.high > 0 ? -(int)floor(log10(extent.high)) : 0;
  const int shown = exponent >= -2 && exponent <= 2 ? 0 : exponent;
  char mean[48] = "1:5";
  if (linear)
    snprintf(mean, sizeof mean, "1:($3*1e%d)", shown);
  for (int m = 0; linear && m < drawing->method_count; m++)
    if (choice.runs[m])
      shk_panel_layer(panel, "index %d using 1:($2*1e%d):($4*1e%d) with filledcurves linestyle %d",
                      blocks[m], shown, shown, m + 1);
  for (int m = 0; m < drawing->method_count; m++)
    if (choice.runs[m])
      add_line(panel, blocks[m], mean, m, drawing->method_count,
               drawn_rows(choice.runs[m], name, most));
  bool drifts = false;
  for (int m = 0; m < drawing->method_count; m++)
    if (choice.runs[m])
      drifts = add_drift(drawing, &figure, panel, choice.runs[m], linear, linear ? shown : 0, m) ||
               drifts;
  free(blocks);
  panel->x = (struct shk_axis){.label = time_label(drawing, group), .low = 0, .high = extent.until};
  if (!linear)
    finish_log_axis(&panel->y, &extent);
  panel->y.label = energy_label(drawing->groups[group].energy_unit, linear ? shown : 0, !linear);
  fill_key(drawing, &figure, &choice, "energy-error-max", true, "max |H − H(0)|",
           "$\\max|H-H(0)|$");
  if (drifts)
    shk_key_text(&figure, 0.2, figure.width - 0.4,
                 linear ? "thin straight lines: fitted drift, with the band of its half-width"
                        : "thin smooth lines: what the fitted drift adds, |slope| t, with the band "
                          "of its half-width");
  free(choice.runs);
  return shk_drawing_finish(drawing, &figure);
}

bool shk_draw_constraint(struct shk_drawing *drawing, int group, const char *precision)
{
  static const char *const names[] = {"constraint", "hidden"};
  static const char *const labels[][2] = {
      {"max |{/:Italic g}|", "$\\max|g|$"},
      {"max |hidden constraint|", "$\\max|$hidden constraint$|$"}};
  const struct choice choice = choose(drawing, group, precision, names[0]);
  if (choice.count == 0) {
    free(choice.runs);
    return true;
  }
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, "constraint", group, NULL, precision, 2, 1);
  figure.panel_height = 3.9;
  double until = 0;
  for (int row = 0; row < 2; row++) {
    struct extent extent = {INFINITY, 0, 0};
    struct shk_panel *panel = shk_figure_panel(&figure, row, 0);
    for (int m = 0; m < drawing->method_count; m++)
      if (shk_drawn_series(choice.runs[m], names[row]))
        add_line(panel, write_series(&figure, choice.runs[m], names[row], LINE_INTERVALS, &extent),
                 "1:5", m, drawing->method_count,
                 drawn_rows(choice.runs[m], names[row], LINE_INTERVALS));
    if (panel->layer_count == 0)
      shk_panel_layer(panel, "index 0 using (NaN):(NaN) with points");
    finish_log_axis(&panel->y, &extent);
    panel->y.label = shk_label(labels[row][0], labels[row][1]);
    until = fmax(until, extent.until);
    panel->x = (struct shk_axis){.low = 0, .high = until};
    if (row == 1)
      panel->x.label = time_label(drawing, group);
  }
  fill_key(drawing, &figure, &choice, "constraint-max", false, "max of g", "max of $g$");
  free(choice.runs);
  return shk_drawing_finish(drawing, &figure);
}
