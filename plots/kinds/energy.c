/*
 * Energy along the run. Up to three methods whose errors are of similar size are drawn on a linear
 * axis, mean and band from minimum to maximum, in at most 400 intervals; otherwise the largest
 * |H - H(0)| of at most 100 intervals on a logarithmic one.
 *
 * Where the analysis has a slope of the energy, the key has it with its half-width. It is drawn
 * with the band of the half-width: on a linear axis as a line through the middle of the run; on a
 * logarithmic one as what it adds until t, |slope| t, where the slope is told from zero. One that
 * is not has no line there: its sign is unknown, and its bound is in the key.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_INTERVALS = 400 };

/* ---- the key ---- */

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

/* "slope (1.23 ± 0.04) × 10^-9", of H per unit of t, in a line of its own. */
static void key_slope(struct shk_figure *figure, const struct shk_drift *drift)
{
  const bool told = is_told_from_zero(drift);
  const char *const head = told ? "slope " : "no drift told from 0: |slope| < ";
  const struct shk_label number =
      told ? shk_label_measured(drift->slope, drift->slope_half_width)
           : shk_label_number(fabs(drift->slope) + drift->slope_half_width, 2);
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "%s%.100s", head, number.plain);
  snprintf(label.latex, sizeof label.latex, "%s%.100s",
           told ? head : "no drift told from 0: $|$slope$|<$ ", number.latex);
  shk_key_under(figure, label);
}

/* The largest error of each run, and below it the slope if there is one. */
static void fill_key(const struct shk_drawing *drawing, struct shk_figure *figure,
                     const struct shk_record *const *runs)
{
  const struct shk_key_runs key = shk_key_of_runs(figure, runs, drawing->method_count);
  shk_key_head(figure, key.column,
               shk_label(shk_quantities[SHK_QUANTITY_ENERGY_MAX].text,
                         shk_quantities[SHK_QUANTITY_ENERGY_MAX].latex));
  for (int m = 0; m < drawing->method_count; m++) {
    if (!runs[m])
      continue;
    shk_along_run_key(figure, &key, drawing, m, runs[m], SHK_QUANTITY_ENERGY_MAX);
    const struct shk_drift *const drift = shk_drawn_drift(drawing, runs[m]);
    if (has_slope(drift))
      key_slope(figure, drift);
  }
}

/* ---- the figure ---- */

static double largest(const struct shk_record *run)
{
  const struct shk_series *series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
  double size = 0;
  for (int i = 0; i < series->count; i++)
    size = fmax(size, fmax(fabs(series->minimum[i]), fabs(series->maximum[i])));
  return size;
}

/* Few enough and near enough to each other to be drawn as bands. */
static bool is_linear(const struct shk_drawing *drawing, const struct shk_record *const *runs,
                      int count)
{
  double low = INFINITY, high = 0;
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m]) {
      const double size = largest(runs[m]);
      low = fmin(low, size);
      high = fmax(high, size);
    }
  return count <= 3 && low > 0 && high < 30 * low && isfinite(high);
}

static struct shk_label energy_label(const char *unit, int exponent, bool absolute)
{
  const char *const bar = absolute ? "|" : "";
  return exponent == 0 ? shk_label_print("%s{/:Italic H} − {/:Italic H}(0)%s%s", "$%sH-H(0)%s$%s",
                                         bar, bar, unit)
                       : shk_label_print("10^{%d} × [{/:Italic H} − {/:Italic H}(0)]%s",
                                         "$10^{%d}\\times[H-H(0)]$%s", exponent, unit);
}

/* The line of the drift through the middle of the run, and the band that its slope's half-width
 * spans about there; on a logarithmic axis what it adds until each time. */
static bool add_drift(const struct shk_drawing *drawing, struct shk_figure *figure,
                      struct shk_panel *panel, const struct shk_record *run, bool linear,
                      int exponent, int method)
{
  enum { PIECES = 40 };
  const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
  const struct shk_series *const series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
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

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_series_id series = SHK_SERIES_ENERGY_ERROR;
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, series, &count);
  if (count == 0) {
    free(runs);
    return true;
  }
  struct shk_figure figure;
  shk_drawing_begin(drawing, &figure, group, NULL, precision, 1, 1);
  struct shk_along_run extent = shk_along_run_of_nothing;
  const bool linear = is_linear(drawing, runs, count);
  const int most = linear ? BAND_INTERVALS : SHK_LINE_INTERVALS;
  struct shk_panel *panel = shk_figure_panel(&figure, 0, 0);
  struct shk_along_block *const blocks =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *blocks);
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m])
      blocks[m] = shk_along_run_write(&figure, runs[m], series, most, &extent);
  const int exponent = linear && extent.high > 0 ? -(int)floor(log10(extent.high)) : 0;
  const int shown = exponent >= -2 && exponent <= 1 ? 0 : exponent;
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m] && linear)
      shk_along_run_values(panel, blocks[m], shown, m, drawing->method_count);
    else if (runs[m])
      shk_along_run_sizes(panel, blocks[m], m, drawing->method_count);
  bool drifts = false;
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m])
      drifts = add_drift(drawing, &figure, panel, runs[m], linear, linear ? shown : 0, m) || drifts;
  free(blocks);
  panel->x = (struct shk_axis){
      .label = shk_time_label(drawing->groups[group].unit), .low = 0, .high = extent.until};
  if (linear)
    shk_axis_linear(&panel->y, fmin(extent.least, 0) * pow(10, shown),
                    fmax(extent.most, 0) * pow(10, shown));
  else
    shk_along_run_log_axis(&panel->y, &extent);
  panel->y.label = energy_label(drawing->groups[group].energy_unit, linear ? shown : 0, !linear);
  fill_key(drawing, &figure, runs);
  if (drifts)
    shk_key_note(&figure,
                 linear ? "thin straight lines: fitted drift, with the band of its half-width"
                        : "thin smooth lines: what the fitted drift adds, |slope| t, with the band "
                          "of its half-width");
  free(runs);
  return shk_drawing_finish(drawing, &figure);
}

/* Runs that are long enough for what the energy does. */
static bool is_telling(const struct shk_drawing *drawing, int group)
{
  const struct shk_drawn_group *const its = &drawing->groups[group];
  for (int i = 0; i < its->cell_count; i++) {
    const struct shk_record *const record = drawing->records[its->cells[i]];
    const struct shk_drift *const drift = record ? shk_drawn_drift(drawing, record) : NULL;
    if (drift && !drift->too_short)
      return true;
  }
  return false;
}

const struct shk_figure_kind shk_figure_kind_energy = {
    .shows = "H − H(0) along the run: envelopes, over all members where there are some, and the "
             "drift with its band and, in the key, its slope; up to three methods of similar size "
             "on a linear axis, else on a logarithmic one, where the drift is what it adds until "
             "t, and only where it is told from zero",
    .of_precision = draw,
    .is_telling = is_telling};
