/*
 * Quantities along the run of each method: energy, constraints, regularity. A block of data is the
 * envelope of a run's recorded series: smallest, mean and largest values over intervals. These are
 * joined until the line has few turns, since a figure cannot show fast oscillations.
 */
#include "foundation/memory.h"
#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 400, FEWEST_ROWS = 12, MOST_TURNS = 16 };

struct row {
  double time, low, mean, high, size; /* size: the largest absolute value */
};

/* Merges intervals to at most `most` rows; a row has size NaN if one of its means is not a
 * number. */
static struct row *join_along_run(const struct shk_series *series, int most, int *count)
{
  const int joined = (series->count + most - 1) / most;
  struct row *const rows = shk_allocate((size_t)series->count + 1, sizeof *rows);
  double begin = 0;
  *count = 0;
  for (int i = 0; i < series->count; i += joined) {
    const int end = i + joined < series->count ? i + joined : series->count;
    struct row row = {(begin + series->time[end - 1]) / 2, INFINITY, 0, -INFINITY, 0};
    for (int j = i; j < end; j++) {
      row.low = fmin(row.low, series->minimum[j]);
      row.high = fmax(row.high, series->maximum[j]);
      row.mean += series->mean[j] / (end - i);
    }
    row.size = isfinite(row.mean) ? fmax(fabs(row.low), fabs(row.high)) : (double)NAN;
    rows[(*count)++] = row;
    begin = series->time[end - 1];
  }
  return rows;
}

/* Merges intervals until the line of sizes has at most MOST_TURNS turns, or rows are few. */
static struct row *envelope_of(const struct shk_series *series, int *count)
{
  for (int most = MOST_ROWS;; most /= 2) {
    struct row *const rows = join_along_run(series, most, count);
    int turns = 0;
    for (int i = 2; i < *count; i++)
      turns += (rows[i].size - rows[i - 1].size) * (rows[i - 1].size - rows[i - 2].size) < 0;
    if (most / 2 < FEWEST_ROWS || turns <= MOST_TURNS)
      return rows;
    free(rows);
  }
}

/* Writes a panel, numbered from 1: a block for each method. Sets range_PANEL to three numbers: the
 * logarithmic range of sizes, and the largest size of a run that finished. Sizes below 1e-4 of a
 * run's largest do not widen the range: a quantity near a zero is tiny for a moment. A run that
 * stopped may have exploded: the axis ends at a hundred times the largest size of the others. */
static void write_panel(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct shk_runs *runs, int panel, enum shk_series_id id)
{
  double low = INFINITY, high = 0, stopped = 0;
  for (int i = 0; i < chart->method_count; i++) {
    const struct shk_record *const run = runs->of[chart->methods[i]];
    const struct shk_series *const series = shk_drawn_series(run, id);
    int count = 0;
    double least = INFINITY, largest = 0;
    struct row *const rows = series ? envelope_of(series, &count) : NULL;
    shk_chart_run_block(drawing, chart, run,
                        shk_phrase("%s: middle of the interval; minimum, mean, maximum and largest "
                                   "size of the envelope",
                                   shk_series_entries[id].name)
                            .text);
    for (int k = 0; k < count; k++) {
      const struct row *const row = &rows[k];
      SHK_CHART_ROW(chart, row->time, row->low, row->mean, row->high,
                    row->size > 0 ? row->size : (double)NAN);
      least = row->size > 0 ? fmin(least, row->size) : least;
      largest = fmax(largest, row->size);
    }
    low = largest > 0 ? fmin(low, fmax(least, 1e-4 * largest)) : low;
    double *const most = shk_record_finished(run) ? &high : &stopped;
    *most = fmax(*most, largest);
    free(rows);
  }
  const double most = high > 0 ? fmin(fmax(high, stopped), 100 * high) : stopped;
  const double bottom = most > 0 ? low : 1e-16, top = most > 0 ? fmin(most, low * 1e40) : 1e-16;
  const double room = top < 30 * bottom ? 10 : 3;
  shk_chart_list(chart, "range", panel, bottom / room);
  shk_chart_list(chart, "range", panel, top * (stopped > 0 ? 100 : room)); /* room for marks */
  shk_chart_list(chart, "range", panel, high > 0 ? high : stopped);
}

/* ---- energy ---- */

/* Returns the drift of a run if its class is one that a slope describes; else NULL. */
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

/* Returns the text of the slope per unit of t, ", slope (1.23 ± 0.04) × 10⁻⁹", or of its bound. */
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

static double energy_max(const struct shk_runs *runs, int method)
{
  return shk_recorded(&runs->of[method]->outcome, SHK_QUANTITY_ENERGY_MAX, NULL);
}

/*
 * Up to three methods with errors of similar size are drawn on a linear axis, mean and band from
 * minimum to maximum; otherwise the largest |H - H(0)| on a logarithmic one. The slope of the
 * energy is in the legend with its half-width, and drawn with the band of that: on a linear axis as
 * a line through the middle of the run; on a logarithmic one as |slope| t, its contribution until
 * t, if it differs from zero, so that its sign is known.
 */
static bool draw_energy(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision, SHK_SERIES_ENERGY_ERROR))
    return true;
  double low = INFINITY, high = 0;
  for (int i = 0; i < chart.method_count; i++) {
    low = fmin(low, energy_max(&runs, chart.methods[i]));
    high = fmax(high, energy_max(&runs, chart.methods[i]));
  }
  const bool linear = chart.method_count <= 3 && low > 0 && high < 30 * low;
  bool any = false;
  write_panel(drawing, &chart, &runs, 1, SHK_SERIES_ENERGY_ERROR);
  shk_chart_set(&chart, "linear", linear);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const struct shk_drift *const drift = drift_of(drawing, runs.of[m]);
    const struct shk_series *const series = shk_drawn_series(runs.of[m], SHK_SERIES_ENERGY_ERROR);
    const bool drawn = drift && (linear || is_significant(drift));
    double mean = 0;
    for (int k = 0; k < series->count; k++)
      mean += series->mean[k] / series->count;
    shk_chart_list(&chart, "mean", 0, drawn ? mean : (double)NAN);
    shk_chart_list(&chart, "slope", 0, drawn ? drift->slope : (double)NAN);
    shk_chart_list(&chart, "half", 0, drawn ? drift->slope_half_width : (double)NAN);
    any = any || is_significant(drift);
    shk_chart_name_run(drawing, &chart, &runs, m,
                       shk_phrase("max %s%s", shk_phrase_number(energy_max(&runs, m), 3).text,
                                  slope_words(drift).text)
                           .text);
  }
  if (any)
    shk_chart_note(&chart, "thin lines: the fitted drift; ±: two standard errors");
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_energy = {
    .shows = "H − H(0) along the run: envelopes over all members, the drift with its band, its "
             "slope in the legend; a linear axis for up to three methods of similar size, else a "
             "logarithmic one, with the drift until t where it differs from zero",
    .draw = draw_energy};

/* ---- constraints ---- */

static bool draw_constraint(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision, SHK_SERIES_CONSTRAINT))
    return true;
  write_panel(drawing, &chart, &runs, 1, SHK_SERIES_CONSTRAINT);
  write_panel(drawing, &chart, &runs, 2, SHK_SERIES_HIDDEN);
  shk_chart_quantity(&chart, "label_1", SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS);
  shk_chart_quantity(&chart, "label_2", SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const double most = shk_recorded(&runs.of[m]->outcome, SHK_QUANTITY_CONSTRAINT_MAX, NULL);
    shk_chart_name_run(drawing, &chart, &runs, m,
                       shk_phrase("max |g| %s", shk_phrase_number(most, 3).text).text);
  }
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_constraint = {
    .shows = "\\|g\\| and the hidden constraint along the run", .draw = draw_constraint};

/* ---- regularity ---- */

/*
 * The least singular value of the scaled constraint Jacobian, signed, with the crossings found as
 * marks, and below it the largest multiplier, which may grow at a crossing of a smooth motion. The
 * legend counts sign changes of all singular values: if two of them vanish together, the least one
 * may keep its sign.
 */
static bool draw_regularity(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision, SHK_SERIES_SINGULAR_VALUE))
    return true;
  write_panel(drawing, &chart, &runs, 1, SHK_SERIES_SINGULAR_VALUE);
  write_panel(drawing, &chart, &runs, 2, SHK_SERIES_MULTIPLIER);
  for (int i = 0; i < chart.method_count; i++) {
    const int m = chart.methods[i];
    const struct shk_series *series = shk_drawn_series(runs.of[m], SHK_SERIES_CROSSING);
    shk_chart_run_block(drawing, &chart, runs.of[m], "crossings: time, value left there");
    for (int k = 0; series && k < series->count; k++)
      SHK_CHART_ROW(&chart, series->time[k], series->mean[k]);
    const double count = shk_recorded(&runs.of[m]->outcome, SHK_QUANTITY_CROSSINGS, NULL);
    shk_chart_name_run(drawing, &chart, &runs, m,
                       isfinite(count) ? shk_phrase("%.0f sign changes", count).text : "");
  }
  return shk_drawing_draw(drawing, &chart);
}

const struct shk_figure_kind shk_figure_kind_regularity = {
    .measure = "regularity",
    .shows = "the signed least singular value, its crossings, and the largest multiplier along "
             "the run; needs the measure `regularity`",
    .draw = draw_regularity};
