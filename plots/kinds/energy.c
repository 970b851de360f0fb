/*
 * Energy along the run. Up to three methods with errors of similar size are drawn on a linear axis,
 * mean and band from minimum to maximum, in at most 400 intervals; otherwise the largest |H - H(0)|
 * of at most 100 intervals on a logarithmic one.
 *
 * If the analysis has a slope of the energy, it is in the legend with its half-width, and drawn
 * with the band of the half-width: on a linear axis as a line through the middle of the run; on a
 * logarithmic one as |slope| t, its contribution until t. A slope not significantly different from
 * zero has no line on a logarithmic axis, since its sign is unknown; its bound is in the legend.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_INTERVALS = 400 };

/* ---- the legend ---- */

/* True if the energy has a slope: its class is one that a slope describes. */
static bool has_slope(const struct shk_drift *drift)
{
  return drift && isfinite(drift->slope) && isfinite(drift->slope_half_width) &&
         (drift->class == SHK_ENERGY_BOUNDED || drift->class == SHK_ENERGY_DRIFT ||
          drift->class == SHK_ENERGY_UNDETERMINED);
}

/* True if the slope differs significantly from zero, so that its sign is known. */
static bool is_significant(const struct shk_drift *drift)
{
  return fabs(drift->slope) > drift->slope_half_width;
}

/* Text of the slope, "slope (1.23 ± 0.04) × 10⁻⁹", per unit of t. */
static struct shk_label slope_label(const struct shk_drift *drift)
{
  const bool significant = is_significant(drift);
  const struct shk_label number =
      significant ? shk_label_measured(drift->slope, drift->slope_half_width)
                  : shk_label_number(fabs(drift->slope) + drift->slope_half_width, 2);
  return shk_label_join(significant ? shk_label_words("slope")
                                    : shk_label("no drift: |slope| <", "no drift: $|$slope$|<$"),
                        number);
}

/* Fills the legend with the largest error of each run, and the slope if there is one. */
static void fill_legend(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct shk_record *const *runs, const struct shk_run_names *names)
{
  bool any = false;
  for (int i = 0; i < chart->method_count; i++) {
    const struct shk_record *const run = runs[chart->methods[i]];
    const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
    struct shk_label text = shk_label_join(
        shk_label_words("max"),
        shk_label_number(shk_recorded(&run->outcome, SHK_QUANTITY_ENERGY_MAX, NULL), 3));
    if (has_slope(drift)) {
      text = shk_label_join(text, slope_label(drift));
      any = any || is_significant(drift);
    }
    const struct shk_label label = shk_run_label(names, run, text);
    shk_chart_legend(chart, i + 1, drawing->shown[chart->methods[i]], &label);
  }
  if (any)
    shk_chart_note(chart, shk_label("thin lines: the fitted drift; ±: two standard errors",
                                    "thin lines: the fitted drift; $\\pm$: two standard errors"));
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

/* True if there are few runs, with errors of similar size, so that they can be drawn as bands. */
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

/* Sets mean, slope and half-width of each drift to be drawn: on a logarithmic axis only
 * drifts of known sign. */
static void set_drifts(const struct shk_drawing *drawing, struct shk_chart *chart,
                       const struct shk_record *const *runs, bool linear)
{
  char *means = NULL, *slopes = NULL, *halves = NULL;
  for (int i = 0; i < chart->method_count; i++) {
    const struct shk_record *const run = runs[chart->methods[i]];
    const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
    const struct shk_series *const series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
    const bool drawn = has_slope(drift) && (linear || is_significant(drift));
    double mean = 0;
    for (int k = 0; k < series->count; k++)
      mean += series->mean[k] / series->count;
    shk_list_add(&means, drawn ? mean : (double)NAN);
    shk_list_add(&slopes, drawn ? drift->slope : (double)NAN);
    shk_list_add(&halves, drawn ? drift->slope_half_width : (double)NAN);
  }
  shk_chart_set_list(chart, "mean", means);
  shk_chart_set_list(chart, "slope", slopes);
  shk_chart_set_list(chart, "half", halves);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  static const enum shk_series_id series = SHK_SERIES_ENERGY_ERROR;
  struct shk_chart chart;
  struct shk_run_names names;
  const struct shk_record **const runs =
      shk_chart_runs(drawing, &chart, group, precision, series, &names);
  if (!runs)
    return true;
  struct shk_along_run extent = shk_along_run_of_nothing;
  const bool linear = is_linear(drawing, runs, chart.method_count);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    shk_along_run_write(&chart, runs[m], drawing->shown[m], series,
                        linear ? BAND_INTERVALS : SHK_LINE_INTERVALS, &extent);
  }
  const double size = fmax(extent.high, extent.stopped);
  const int power = linear && size > 0 ? -(int)floor(log10(size)) : 0;
  const int shown = power >= -2 && power <= 1 ? 0 : power;
  const double least = fmin(extent.least, 0), most = fmax(extent.most, 0),
               room = most > least ? 0.06 * (most - least) : 1;
  if (linear)
    shk_chart_range(&chart, 1, (least - room) * pow(10, shown), (most + room) * pow(10, shown));
  else
    shk_along_run_range(&chart, 1, &extent);
  shk_chart_set(&chart, "linear", linear);
  shk_chart_set(&chart, "power10", shown);
  shk_chart_set(&chart, "until", extent.until);
  set_drifts(drawing, &chart, runs, linear);
  shk_chart_set_label(&chart, "time", shk_time_label(drawing->groups[group].unit));
  shk_chart_set_label(&chart, "unit", shk_label_words(drawing->groups[group].energy_unit));
  fill_legend(drawing, &chart, runs, &names);
  free(runs);
  return shk_drawing_draw(drawing, &chart);
}

/* True if runs of the group are long enough to classify the energy. */
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
    .shows = "H − H(0) along the run: envelopes over all members, the drift with its band, its "
             "slope in the legend; a linear axis for up to three methods of similar size, else a "
             "logarithmic one, with the drift until t where it differs from zero",
    .of_precision = draw,
    .is_telling = is_telling};
