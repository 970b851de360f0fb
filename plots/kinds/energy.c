/*
 * Energy along the run. Up to three methods with errors of similar size are drawn on a linear axis,
 * mean and band from minimum to maximum; otherwise the largest |H - H(0)| on a logarithmic one.
 *
 * If the analysis has a slope of the energy, it is in the legend with its half-width, and drawn
 * with the band of the half-width: on a linear axis as a line through the middle of the run; on a
 * logarithmic one as |slope| t, its contribution until t. A slope not significantly different from
 * zero has no line on a logarithmic axis, since its sign is unknown; its bound is in the legend.
 */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/along_run.h"
#include <math.h>
#include <stdlib.h>

/* The drift of a run if its class is one that a slope describes; else NULL. */
static const struct shk_drift *drift_of(const struct shk_drawing *drawing,
                                        const struct shk_record *run)
{
  const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
  return drift && isfinite(drift->slope) && isfinite(drift->slope_half_width) &&
                 (drift->class == SHK_ENERGY_BOUNDED || drift->class == SHK_ENERGY_DRIFT ||
                  drift->class == SHK_ENERGY_UNDETERMINED)
             ? drift
             : NULL;
}

/* True if the slope differs significantly from zero, so that its sign is known. */
static bool is_significant(const struct shk_drift *drift)
{
  return drift && fabs(drift->slope) > drift->slope_half_width;
}

/* Text of the slope per unit of t, ", slope (1.23 ± 0.04) × 10⁻⁹". */
static struct shk_phrase slope_words(const struct shk_drift *drift)
{
  if (!drift)
    return shk_phrase("%s", "");
  return is_significant(drift)
             ? shk_phrase(", slope %s",
                          shk_phrase_measured(drift->slope, drift->slope_half_width).text)
             : shk_phrase(", no drift: |slope| < %s",
                          shk_phrase_number(fabs(drift->slope) + drift->slope_half_width, 2).text);
}

/* Sets mean, slope and half-width of a drift to be drawn: on a logarithmic axis only of known
 * sign. */
static void set_drift(struct shk_chart *chart, const struct shk_record *run,
                      const struct shk_drift *drift, bool linear)
{
  const struct shk_series *const series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
  const bool drawn = drift && (linear || is_significant(drift));
  double mean = 0;
  for (int k = 0; k < series->count; k++)
    mean += series->mean[k] / series->count;
  shk_chart_list(chart, "mean", 0, drawn ? mean : (double)NAN);
  shk_chart_list(chart, "slope", 0, drawn ? drift->slope : (double)NAN);
  shk_chart_list(chart, "half", 0, drawn ? drift->slope_half_width : (double)NAN);
}

/* True if there are few runs, with errors of similar size, so that they can be drawn as bands. */
static bool is_linear(const struct shk_chart *chart, const struct shk_runs *runs)
{
  double low = INFINITY, high = 0;
  for (int i = 0; i < chart->method_count; i++) {
    const double size =
        shk_recorded(&runs->of[chart->methods[i]]->outcome, SHK_QUANTITY_ENERGY_MAX, NULL);
    low = fmin(low, size);
    high = fmax(high, size);
  }
  return chart->method_count <= 3 && low > 0 && high < 30 * low && isfinite(high);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_SERIES_ENERGY_ERROR);
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision))
    return true;
  const bool linear = is_linear(&chart, &runs);
  bool any = false;
  shk_along_run_write(drawing, &chart, &runs, 1, SHK_SERIES_ENERGY_ERROR);
  shk_chart_set(&chart, "linear", linear);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const struct shk_drift *const drift = drift_of(drawing, runs.of[m]);
    const double most = shk_recorded(&runs.of[m]->outcome, SHK_QUANTITY_ENERGY_MAX, NULL);
    set_drift(&chart, runs.of[m], drift, linear);
    any = any || is_significant(drift);
    shk_chart_name_run(
        drawing, &chart, &runs, m,
        shk_phrase("max %s%s", shk_phrase_number(most, 3).text, slope_words(drift).text).text);
  }
  shk_chart_words(&chart, "energy_unit", drawing->groups[group].energy_unit,
                  drawing->groups[group].energy_unit);
  if (any)
    shk_chart_note(&chart, "thin lines: the fitted drift; ±: two standard errors");
  free(runs.of);
  return shk_drawing_draw(drawing, &chart);
}

/* True if runs of the group are long enough to classify the energy. */
static bool is_telling(const struct shk_drawing *drawing, int group)
{
  const struct shk_drawn_group *const its = &drawing->groups[group];
  for (int i = its->begin; i < its->end; i++) {
    const struct shk_drift *const drift = drawing->cells[i].group == group
                                              ? shk_drawn_drift(drawing, drawing->cells[i].record)
                                              : NULL;
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
