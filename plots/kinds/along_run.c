/*
 * Draws quantities along the run of each method: energy, invariants, their increments, the step
 * sizes chosen by methods, constraints, and regularity. Each data block contains the envelope of a
 * recorded series, that is, the minimum, mean and maximum over each interval. If the intervals
 * resolve the oscillations, a linear axis shows every interval. Otherwise, intervals are merged
 * until the line has few turning points, and a running mean is drawn, because a figure cannot show
 * fast oscillations.
 */
#include "foundation/memory.h"
#include "measures/reduction.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 400, FEWEST_ROWS = 25, MOST_TURNS = 40, LEAST_PER_TURN = 3 };

struct row {
  double time, low, mean, high, size; /* `size` is the largest absolute value */
};

/* Returns the end of the row that begins with interval i, if there are at most `most` rows. Every
 * row comprises the same number of intervals or, if `log`, the same ratio of end time to start
 * time. A remainder shorter than half a row is merged into the previous row, because the mean over
 * a fraction of an oscillation would be different. */
static int end_of_row(const struct shk_series *series, int i, int most, bool log)
{
  const int count = series->count, joined = (count + most - 1) / most;
  if (!log)
    return 2 * (count - i - joined) < joined ? count : i + joined;
  const double ratio = pow(series->time[count - 1] / series->time[0], 1.0 / most),
               limit = i > 0 ? series->time[i - 1] * ratio : 0;
  int end = i + 1;
  while (end < count && series->time[end] <= limit)
    end++;
  return end;
}

/* Merges intervals into at most `most` rows, whose times are the ends of the intervals if `at_end`,
 * and otherwise their midpoints. Copies of the first and last rows are added at the beginning and
 * the end of the run. The size of a row is NaN if any of its means is not a finite number. */
static struct row *join_along_run(const struct shk_series *series, int most, bool log, bool at_end,
                                  int *count)
{
  struct row *const rows = shk_allocate((size_t)series->count + 2, sizeof *rows);
  double begin = 0;
  *count = 0;
  for (int i = 0, end; i < series->count; i = end) {
    end = end_of_row(series, i, most, log);
    const double until = series->time[end - 1];
    struct row row = {at_end             ? until
                      : log && begin > 0 ? sqrt(begin * until)
                                         : (begin + until) / 2,
                      INFINITY, 0, -INFINITY, 0};
    for (int j = i; j < end; j++) {
      row.low = fmin(row.low, series->minimum[j]);
      row.high = fmax(row.high, series->maximum[j]);
      row.mean += series->mean[j] / (end - i);
    }
    row.size = isfinite(row.mean) ? fmax(fabs(row.low), fabs(row.high)) : (double)NAN;
    rows[++*count] = row;
    begin = until;
  }
  rows[0] = rows[1];
  rows[0].time = log ? rows[1].time : 0;
  rows[*count + 1] = rows[*count];
  rows[*count + 1].time = begin;
  *count += 2;
  return rows;
}

/* True if a line through three values changes direction at the middle one. */
static bool turns_at(double before, double here, double after)
{
  return (after - here) * (here - before) < 0;
}

/* Returns how often the means of a series change direction. */
static int turns_of(const struct shk_series *series)
{
  int turns = 0;
  for (int i = 2; i < series->count; i++)
    turns += turns_at(series->mean[i - 2], series->mean[i - 1], series->mean[i]);
  return turns;
}

/* True if the intervals of a series resolve its oscillations. */
static bool is_resolved(const struct shk_series *series)
{
  return LEAST_PER_TURN * turns_of(series) <= series->count;
}

/* True if a logarithmic axis can show every interval: the line then has few turning points, and it
 * has no gaps, which values at round-off leave wherever they are zero. */
static bool fits_log_axis(const struct shk_series *series)
{
  int zeros = 0;
  for (int i = 1; i < series->count; i++)
    zeros += series->maximum[i] == 0 && series->minimum[i] == 0;
  return zeros == 0 && turns_of(series) <= 3 * MOST_TURNS;
}

/* Replaces the means with running means over up to `reach` rows on each side, in two passes.
 * Near the ends, the line is continued straight. Without smoothing, each mean would depend on which
 * part of an oscillation its row covers. */
static void smooth(struct row *rows, int count, int reach)
{
  double *const means = shk_allocate((size_t)count, sizeof *means);
  const int near = reach;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < count; i++)
      means[i] = rows[i].mean;
    for (int i = 0; i < count; i++) {
      const int end = i < count - 1 - i ? i : count - 1 - i, side = reach < end ? reach : end;
      rows[i].mean = 0;
      for (int j = i - side; j <= i + side; j++)
        rows[i].mean += means[j] / (2 * side + 1);
    }
  }
  for (int i = 0; i < near && 2 * near < count;
       i++) { /* means over few rows would still oscillate */
    const double share = (double)(near - i) / near;
    rows[i].mean = rows[near].mean + share * (rows[near].mean - rows[2 * near].mean);
    rows[count - 1 - i].mean =
        rows[count - 1 - near].mean +
        share * (rows[count - 1 - near].mean - rows[count - 1 - 2 * near].mean);
  }
  free(means);
}

/* Merges intervals until the line of sizes has at most MOST_TURNS turning points, or until only a
 * few rows remain. If `whole` is set and the intervals resolve the oscillations, every interval
 * becomes a row. If `whole` is set but the intervals do not resolve the oscillations, the means are
 * smoothed. */
static struct row *envelope_of(const struct shk_series *series, bool whole, bool log, bool at_end,
                               int *count)
{
  if (whole && is_resolved(series))
    return join_along_run(series, series->count, log, at_end, count);
  for (int most = MOST_ROWS;; most /= 2) {
    struct row *const rows = join_along_run(series, most, log, at_end, count);
    int turns = 0;
    for (int i = 2; i < *count; i++)
      turns += turns_at(rows[i - 2].size, rows[i - 1].size, rows[i].size);
    if (most / 2 < FEWEST_ROWS || turns <= MOST_TURNS) {
      if (whole && !log)
        smooth(rows, *count, *count / FEWEST_ROWS);
      return rows;
    }
    free(rows);
  }
}

/* Returns the distance between the smallest and the largest value of a line that crosses the middle
 * between them many times, and 0 for other lines. */
static double swing_of(const struct row *rows, int count)
{
  double least = INFINITY, largest = -INFINITY;
  int crossings = 0;
  for (int i = 0; i < count; i++) {
    least = fmin(least, rows[i].low);
    largest = fmax(largest, rows[i].high);
  }
  const double middle = (least + largest) / 2;
  for (int i = 1; i < count; i++)
    crossings += (rows[i - 1].mean < middle) != (rows[i].mean < middle);
  return crossings > 2 * MOST_TURNS ? largest - least : 0;
}

/* What to draw for each row: its largest size, or its mean and the band between its extremes. Means
 * are smoothed only for signed quantities. */
enum drawn { LARGEST_SIZE, MEAN_AND_BAND, SIGNED_MEAN_AND_BAND };

/* Says in the caption that lines show sizes, and in how many intervals. */
static void note_sizes(const struct shk_drawing *drawing, struct shk_chart *chart,
                       const struct shk_runs *runs, enum shk_series_id id, const char *parameter)
{
  char name[SHK_SCALAR_NAME];
  int most = 0;
  shk_quantity_words(name, sizeof name, shk_series_entries[id].name, parameter);
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_series *const series =
        runs->of[m] ? shk_outcome_series(&runs->of[m]->outcome, name) : NULL;
    most = series && series->count > most ? series->count : most;
  }
  shk_chart_note(
      chart, "Curves show the largest value in each of up to %d time intervals, at its end", most);
}

/* Says in the caption what the lines of signed quantities show. */
static void note_means(const struct shk_drawing *drawing, struct shk_chart *chart,
                       const struct shk_runs *runs, const char *name)
{
  char *smoothed = NULL;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_series *const series =
        runs->of[m] ? shk_outcome_series(&runs->of[m]->outcome, name) : NULL;
    if (series && series->count > 0 && !is_resolved(series))
      shk_append_text(&smoothed, "%s%s", smoothed ? ", " : "", drawing->shown[m]);
  }
  if (smoothed)
    shk_chart_note(
        chart,
        "Bands extend from the smallest to the largest value in each time interval; lines "
        "show means in intervals, or means over %d %% of the run if oscillations are "
        "faster than the intervals (%s)",
        200 / FEWEST_ROWS, smoothed);
  free(smoothed);
}

/* Writes a data block for each method and sets the vertical axis. The axis is logarithmic if `log`;
 * otherwise it covers `scale` times the extremes. Sizes below 1e-4 of a run's largest size do not
 * widen the range, because any quantity is briefly tiny when it passes through zero. Neither do
 * methods for which aside[method] is true (`aside` is NULL if there are none). A run that stopped
 * early may have blown up, so the axis ends at a hundred times the largest size in the other
 * runs. */
static void write_blocks(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_runs *runs, enum shk_series_id id, const char *parameter,
                         bool log, enum drawn drawn, double scale, const bool *aside)
{
  const bool banded = drawn != LARGEST_SIZE;
  char name[SHK_SCALAR_NAME];
  shk_quantity_words(name, sizeof name, shk_series_entries[id].name, parameter);
  struct shk_panel *const panel = &chart->panels[chart->panel_count - 1];
  double *const swings = shk_allocate((size_t)drawing->methods.count, sizeof *swings);
  double low = INFINITY, high = 0, stopped = 0;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_record *const run = runs->of[m];
    const struct shk_series *const series = run ? shk_outcome_series(&run->outcome, name) : NULL;
    int count = 0;
    double least = INFINITY, largest = 0;
    if (!run)
      continue;
    const bool whole = series && (log ? drawn == LARGEST_SIZE && fits_log_axis(series)
                                      : drawn == SIGNED_MEAN_AND_BAND);
    struct row *const rows = series && series->count > 0
                                 ? envelope_of(series, whole, panel->x.log, !banded, &count)
                                 : NULL;
    const bool resolved = rows && whole && is_resolved(series);
    if (resolved && turns_of(series) > MOST_TURNS)
      shk_chart_solid(chart, m); /* dashes would blur the oscillations */
    swings[m] = resolved ? swing_of(rows, count) : 0;
    shk_chart_run_block(drawing, chart, run,
                        shk_phrase("%s: time in the interval; minimum, mean, maximum and largest "
                                   "size of the envelope",
                                   name)
                            .text);
    for (int k = 0; k < count; k++) {
      const struct row *const row = &rows[k];
      SHK_CHART_ROW(chart, row->time, row->low, row->mean, row->high,
                    row->size > 0 ? row->size : (double)NAN);
      if (aside && aside[m])
        continue;
      const double lowest = banded && row->low > 0 ? row->low : row->size;
      least = lowest > 0 ? fmin(least, lowest) : least;
      largest = fmax(largest, row->size);
      if (log)
        shk_chart_point(chart, m, row->time, row->size);
      else
        shk_chart_point(chart, m, row->time, scale * row->low);
    }
    shk_chart_point(chart, m, NAN, NAN);
    for (int k = 0; k < count && !log; k++)
      shk_chart_point(chart, m, rows[k].time, scale * rows[k].high);
    shk_chart_point(chart, m, NAN, NAN);
    for (int k = 0; k < count && banded; k++) {
      const bool below = log && !(rows[k].low > 0);
      shk_chart_point(chart, m, rows[k].time, below ? (double)NAN : scale * rows[k].low);
      shk_chart_point(chart, m, rows[k].time, scale * rows[k].high);
      shk_chart_point(chart, m, NAN, NAN);
    }
    low = largest > 0 ? fmin(low, fmax(least, 1e-4 * largest)) : low;
    double *const most = shk_record_finished(run) ? &high : &stopped;
    *most = fmax(*most, largest);
    free(rows);
  }
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs->of[m])
      shk_chart_list(chart, "dense", swings[m] > (log ? 0 : 0.05 * high));
  free(swings);
  if (!log && drawn == SIGNED_MEAN_AND_BAND)
    note_means(drawing, chart, runs, name);
  const double most = high > 0 ? fmin(fmax(high, stopped), 100 * high) : stopped;
  const double bottom = most > 0 ? low : 1e-16, top = most > 0 ? fmin(most, low * 1e40) : 1e-16,
               room = top < 30 * bottom ? 3 : 1.5;
  if (log && !panel->y.fixed)
    panel->y = (struct shk_axis){.from = bottom / room, .to = top * room};
  else if (!panel->y.fixed && stopped > high && high > 0)
    panel->y = (struct shk_axis){.from = -1.1 * scale * high, .to = 1.1 * scale * high};
  panel->y.log = log;
}

/* ---- energy ---- */

/* Returns the drift of a run, or NULL if its energy does not follow a straight line. */
static const struct shk_drift *drift_of(const struct shk_drawing *drawing,
                                        const struct shk_record *run)
{
  const struct shk_drift *const drift = shk_drawn_drift(drawing, run);
  return drift && drift->straight && isfinite(drift->slope) && isfinite(drift->slope_half_width) &&
                 (drift->class == SHK_ENERGY_BOUNDED || drift->class == SHK_ENERGY_DRIFT ||
                  drift->class == SHK_ENERGY_UNDETERMINED)
             ? drift
             : NULL;
}

/* Returns true if the slope differs significantly from zero, so that its sign is known. */
static bool is_significant(const struct shk_drift *drift)
{
  return drift && fabs(drift->slope) > drift->slope_half_width;
}

/* Returns true if the energy of a run decreases at a decreasing rate, and if the loss is much
 * larger than the oscillations. */
static bool dissipates(const struct shk_record *run)
{
  const struct shk_series *const series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
  if (!series || !shk_record_finished(run) || series->count < FEWEST_ROWS)
    return false;
  const int last = series->count - 1;
  const double loss = -series->mean[last], half = -series->mean[last / 2];
  double least = 0, rise = 0;
  for (int k = 0; k <= last; k++) {
    rise = fmax(rise, series->maximum[k] - least);
    least = fmin(least, series->maximum[k]);
  }
  return loss > 0 && rise <= 0.05 * loss && loss - half < half / 3 &&
         series->maximum[last] - series->minimum[last] < 0.2 * loss;
}

/* Formats the slope per unit of t, for example as "drift rate 1.23(4) × 10⁻⁹". If the slope is not
 * significant, an upper bound is given. For a dissipating run, the energy loss is given. */
static struct shk_phrase slope_words(const struct shk_drawing *drawing,
                                     const struct shk_record *run)
{
  const struct shk_drift *const drift = drift_of(drawing, run);
  const struct shk_series *const series = shk_drawn_series(run, SHK_SERIES_ENERGY_ERROR);
  return dissipates(run)
             ? shk_phrase("loses %s", shk_phrase_number(-series->mean[series->count - 1], 3).text)
         : !drift ? shk_phrase("%s", "")
         : is_significant(drift)
             ? shk_phrase("drift rate %s",
                          shk_phrase_measured(drift->slope, drift->slope_half_width).text)
             : shk_phrase("|drift rate| < %s",
                          shk_phrase_number(fabs(drift->slope) + drift->slope_half_width, 2).text);
}

/* Returns the exponent of the power of ten by which this number must be scaled to be readable. */
static int power_for(double most)
{
  return most > 0 && (most < 0.1 || most >= 1000) ? -(int)floor(log10(most)) : 0;
}

/* A quantity recorded at every step: its series and its axis label. */
struct followed {
  enum shk_series_id series;
  const char *parameter, *plain, *latex, *unit;
  /* true if the quantity is never negative, so that its label needs no bars and a logarithmic axis
   * shows means and bands */
  bool positive;
  /* true if one run's loss exceeds the changes in all other runs, so the sign is of interest */
  bool falls;
};

/* Returns the largest absolute value in a series of a run, or 0 if the run does not contain the
 * series. */
static double largest_of(const struct shk_record *run, const struct followed *followed)
{
  char name[SHK_SCALAR_NAME];
  const struct shk_series *const series = shk_outcome_series(
      &run->outcome,
      shk_quantity_words(name, sizeof name, shk_series_entries[followed->series].name,
                         followed->parameter));
  double most = 0;
  for (int k = 0; series && k < series->count; k++)
    most = fmax(most, fmax(fabs(series->minimum[k]), fabs(series->maximum[k])));
  return most;
}

/*
 * Writes the data of the panel and sets its vertical axis. If there are at most three methods, and
 * their values are similar in size, the axis is linear and shows the mean and a band from minimum
 * to maximum. Otherwise, or if all runs stopped early, the axis is logarithmic and shows the
 * largest size. Methods for which aside[method] is true do not affect the choice (`aside` is NULL
 * if there are none). Returns true if the axis is linear.
 */
static bool draw_followed(const struct shk_drawing *drawing, struct shk_chart *chart,
                          const struct shk_runs *runs, const struct followed *followed,
                          const bool *aside)
{
  double low = INFINITY, high = 0;
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs->of[m] && !(aside && aside[m])) {
      const double most = largest_of(runs->of[m], followed);
      low = fmin(low, most);
      high = fmax(high, most);
    }
  const int asked = drawing->asked ? (int)drawing->asked->scale : SHK_SCALE_NATURAL;
  const bool linear = asked == SHK_SCALE_LINEAR ||
                      (asked == SHK_SCALE_NATURAL && runs->any_finished && runs->count <= 3 &&
                       low > 0 && (followed->falls || high < 30 * low));
  const int power = linear ? power_for(high) : 0;
  const double scale = pow(10, power);
  write_blocks(drawing, chart, runs, followed->series, followed->parameter, !linear,
               followed->positive ? MEAN_AND_BAND
               : linear           ? SIGNED_MEAN_AND_BAND
                                  : LARGEST_SIZE,
               scale, aside);
  shk_chart_set(chart, "scale", scale);
  struct shk_axis *const y = &chart->panels[chart->panel_count - 1].y;
  y->from *= y->fixed ? scale : 1;
  y->to *= y->fixed ? scale : 1;
  if (linear && followed->positive && !y->fixed)
    y->from = 0;
  const bool most = !followed->positive && !linear;
  const char *const bar = most ? "|" : "", *const inner = followed->unit[0]
                                                              ? shk_text_after(followed->unit, 2)
                                                              : ")";
  const struct shk_phrase unit = power != 0 ? shk_phrase(" (10^{%s%d}%s%s", power > 0 ? "−" : "",
                                                         abs(power), inner[1] ? " " : "", inner)
                                            : shk_phrase("%s", followed->unit),
                          latex_unit = power != 0 ? shk_phrase(" ($10^{%d}$%s%s", -power,
                                                               inner[1] ? "\\," : "", inner)
                                                  : shk_phrase("%s", followed->unit);
  shk_chart_words(
      chart, "ylabel",
      shk_phrase("%s%s%s%s%s", most ? "max " : "", bar, followed->plain, bar, unit.text).text,
      shk_phrase("$%s%s%s%s$%s", most ? "\\max" : "", bar, followed->latex, bar, latex_unit.text)
          .text);
  if (most)
    note_sizes(drawing, chart, runs, followed->series, followed->parameter);
  return linear;
}

/* Draws the panel using the energy template, but without a fitted line. Returns true if the axis is
 * linear. */
static bool draw_unfitted(const struct shk_drawing *drawing, struct shk_chart *chart,
                          const struct shk_runs *runs, const struct followed *followed,
                          const bool *aside)
{
  const bool linear = draw_followed(drawing, chart, runs, followed, aside);
  shk_chart_set(chart, "banded", linear || followed->positive);
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs->of[m]) {
      shk_chart_list(chart, "aside", aside && aside[m] && !linear);
      shk_chart_list(chart, "mean", NAN);
      shk_chart_list(chart, "slope", NAN);
      shk_chart_list(chart, "half", NAN);
    }
  return linear;
}

/* Returns true if the run with the largest change in energy is dissipative. */
static bool largest_dissipates(const struct shk_drawing *drawing, const struct shk_runs *runs,
                               const struct followed *followed)
{
  const struct shk_record *largest = NULL;
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs->of[m] &&
        (!largest || largest_of(runs->of[m], followed) > largest_of(largest, followed)))
      largest = runs->of[m];
  return dissipates(largest);
}

/*
 * Draws the energy error. The slope of the energy is printed next to the method's name with its
 * half-width, and drawn as a line with the corresponding band. On a linear axis, the line passes
 * through the middle of the run. On a logarithmic axis, the line |slope| t shows the contribution
 * of the slope up to time t. This line is drawn only if the slope differs significantly from zero.
 */
static bool draw_energy(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                        const char *precision, const char *part)
{
  struct shk_runs runs;
  bool any = false, bounds = false;
  (void)part;
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_ENERGY_ERROR,
                      slope_words))
    return true;
  struct followed error = {.series = SHK_SERIES_ENERGY_ERROR,
                           .plain = "{/:Italic H} − {/:Italic H}(0)",
                           .latex = "H-H(0)",
                           .unit = drawing->groups[group].si ? " (J)" : ""};
  error.falls = largest_dissipates(drawing, &runs, &error);
  const bool linear = draw_followed(drawing, chart, &runs, &error, NULL);
  shk_chart_set(chart, "banded", linear);
  for (int m = 0; m < drawing->methods.count; m++) {
    if (!runs.of[m])
      continue;
    const struct shk_drift *const drift = drift_of(drawing, runs.of[m]);
    const struct shk_series *const series = shk_drawn_series(runs.of[m], SHK_SERIES_ENERGY_ERROR);
    const bool drawn = is_significant(drift);
    double mean = 0;
    for (int k = 0; k < series->count; k++)
      mean += series->mean[k] / series->count;
    shk_chart_list(chart, "aside", 0);
    shk_chart_list(chart, "mean", drawn ? mean : (double)NAN);
    shk_chart_list(chart, "slope", drawn ? drift->slope : (double)NAN);
    shk_chart_list(chart, "half", drawn ? drift->slope_half_width : (double)NAN);
    any = any || drawn;
    bounds = bounds || (drift && !is_significant(drift));
    shk_chart_solid(chart, m); /* the fitted lines are dashed */
  }
  if (any)
    shk_chart_words(chart, "remark", linear ? "dashed: fit; bands: ranges" : "dashed: fit",
                    linear ? "dashed: fit; bands: ranges" : "dashed: fit");
  if (any)
    shk_chart_note(chart,
                   "Dashed: %s straight lines fitted to the means over the whole run; the slopes "
                   "are the drift "
                   "rates, with two standard errors in parentheses, in units of the last digit",
                   linear ? "the" : "|slope| t for");
  if (bounds)
    shk_chart_note(
        chart,
        "If a drift rate cannot be told from zero, its magnitude plus two standard errors is "
        "given as a bound");
  return true;
}

const struct shk_figure_kind shk_figure_kind_energy = {
    .title = "Energy error along the run", .draw = draw_energy, .each_problem = true};

/* ---- invariants ---- */

/* Returns true if at least one run changes this invariant. */
static bool changes(const struct shk_drawing *drawing, const struct shk_runs *runs,
                    const char *invariant)
{
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs->of[m] &&
        shk_recorded(&runs->of[m]->outcome, SHK_QUANTITY_INVARIANT_MAX, invariant) > 0)
      return true;
  return false;
}

/* Adds a panel that shows the change of an invariant since the start or, if `increments`, in a
 * single step. */
static void draw_invariant(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *invariant, bool increments)
{
  struct shk_runs runs;
  const struct followed followed = {
      .series = increments ? SHK_SERIES_INVARIANT_INCREMENT : SHK_SERIES_INVARIANT,
      .parameter = invariant,
      .plain = increments ? "change in a step" : "change",
      .latex = increments ? "\\mathrm{change~in~a~step}" : "\\mathrm{change}",
      .unit = "",
      .positive = increments};
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, followed.series, NULL))
    return;
  shk_chart_part(chart, invariant, invariant);
  draw_unfitted(drawing, chart, &runs, &followed, NULL);
  shk_chart_note(chart, "Changes are relative to the initial size");
}

/* Adds a panel for the invariant whose quantity is named by the part. If there is no part, adds
 * panels for the first few invariants. */
static bool draw_invariants(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                            const char *precision, const char *part)
{
  enum { MOST_PANELS = 4, HEAD = sizeof "invariant-" - 1 };
  const struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_SERIES_INVARIANT);
  const struct shk_outcome *outcome = NULL;
  int count = 0;
  for (int m = 0; m < drawing->methods.count && !outcome; m++)
    outcome = runs.of[m] ? &runs.of[m]->outcome : NULL;
  for (int i = 0; outcome && i < outcome->series_count; i++) {
    const char *const name = outcome->series[i].name, *const invariant = name + HEAD;
    if (strncmp(name, "invariant-", HEAD) != 0)
      continue;
    const struct shk_phrase quantity = shk_phrase("invariant %s max", invariant);
    if (part && strcmp(part, quantity.text) != 0)
      continue;
    if (!changes(drawing, &runs, invariant))
      shk_chart_note(chart, "No method changes %s", invariant);
    else if (count++ < MOST_PANELS)
      draw_invariant(drawing, chart, group, precision, invariant, false);
    else
      shk_chart_note(chart, "Not drawn: %s (to draw it, name it under `quantity`)", quantity.text);
  }
  return true;
}

const struct shk_figure_kind shk_figure_kind_invariants = {
    .measure = "momentum",
    .title = "Changes in invariants along the run",
    .template = "energy",
    .only_by_name = true,
    .draw = draw_invariants,
    .stacked = true,
    .each_problem = true};

/* ---- increments ---- */

/* Adds a panel for the largest changes in a single step. If the part is "invariant NAME max", the
 * changes are those of the invariant NAME; otherwise they are those of the energy. */
static bool draw_increments(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                            const char *precision, const char *part)
{
  static const char head[] = "invariant ", tail[] = " max";
  const size_t extra = sizeof head - 1 + sizeof tail - 1;
  const int before = chart->panel_count;
  struct shk_runs runs;
  if (part && strncmp(part, head, sizeof head - 1) == 0) {
    const struct shk_phrase invariant =
        shk_phrase("%.*s", (int)(strlen(part) - extra), part + sizeof head - 1);
    draw_invariant(drawing, chart, group, precision, invariant.text, true);
  } else if (shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_ENERGY_INCREMENT,
                            NULL)) {
    const struct followed followed = {
        .series = SHK_SERIES_ENERGY_INCREMENT,
        .plain = "|{/:Italic H}_{{/:Italic n}+1} − {/:Italic H}_{/:Italic n}|",
        .latex = "|H_{n+1}-H_n|",
        .unit = drawing->groups[group].si ? " (J)" : "",
        .positive = true};
    draw_unfitted(drawing, chart, &runs, &followed, NULL);
  }
  if (chart->panel_count > before)
    shk_chart_note(chart, "A run has at most 1000 intervals, and for each of them the largest "
                          "change in one of its steps is recorded: lines with marks are the means "
                          "of these changes, and bands extend from the smallest to the largest");
  return true;
}

const struct shk_figure_kind shk_figure_kind_increments = {.title =
                                                               "Changes in a step along the run",
                                                           .template = "energy",
                                                           .only_by_name = true,
                                                           .draw = draw_increments,
                                                           .stacked = true,
                                                           .each_problem = true};

/* ---- chosen steps ---- */

static struct shk_phrase rejected_words(const struct shk_drawing *drawing,
                                        const struct shk_record *run)
{
  (void)drawing;
  return shk_phrase("%.0f steps, %.0f rejected",
                    shk_recorded(&run->outcome, SHK_QUANTITY_WORK_STEPS, NULL),
                    shk_recorded(&run->outcome, SHK_QUANTITY_WORK_REJECTED, NULL));
}

/* Draws the step sizes that methods chose, with marks at rejected steps. */
static bool draw_step_size(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                           const char *precision, const char *part)
{
  static const struct followed size = {.series = SHK_SERIES_STEP_SIZE,
                                       .plain = "{/:Italic h}",
                                       .latex = "h",
                                       .unit = "",
                                       .positive = true};
  struct shk_runs runs;
  (void)part;
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_STEP_SIZE,
                      rejected_words))
    return true;
  draw_followed(drawing, chart, &runs, &size, NULL);
  for (int m = 0; m < drawing->methods.count; m++) {
    if (!runs.of[m])
      continue;
    const struct shk_series *const sizes = shk_drawn_series(runs.of[m], SHK_SERIES_STEP_SIZE),
                                   *const rejected =
                                       shk_drawn_series(runs.of[m], SHK_SERIES_REJECTED);
    shk_chart_run_block(drawing, chart, runs.of[m],
                        "intervals with rejected steps: middle, step size, and the mean number "
                        "rejected between sample times");
    for (int k = 0; rejected && k < rejected->count && k < sizes->count; k++)
      if (rejected->maximum[k] > 0)
        SHK_CHART_ROW(chart, (sizes->time[k] + (k > 0 ? sizes->time[k - 1] : 0)) / 2,
                      sizes->mean[k], rejected->mean[k]);
  }
  shk_chart_note(chart, "Sizes are means over the steps between sample times: bands extend from "
                        "the smallest to the largest, and marks show where steps were rejected");
  return true;
}

const struct shk_figure_kind shk_figure_kind_step_size = {
    .title = "Steps that methods choose along the run",
    .only_by_name = true,
    .draw = draw_step_size,
    .each_problem = true};

/* ---- constraints ---- */

/* Finds the methods whose constraint violation is at its recorded floor, and sets *level to the
 * largest of these violations. Returns true if the violation of the other methods is at least a
 * thousand times larger. Drawing both would leave most of the axis empty, so the methods at the
 * floor are then only named in a strip at the bottom. */
static bool set_aside(bool *aside, double *level, const struct shk_drawing *drawing,
                      const struct shk_runs *runs, bool hidden)
{
  double rounding = 0, most = 0;
  for (int m = 0; m < drawing->methods.count; m++) {
    if (!runs->of[m])
      continue;
    const struct shk_outcome *const outcome = &runs->of[m]->outcome;
    const double size =
        shk_recorded(outcome, hidden ? SHK_QUANTITY_HIDDEN_MAX : SHK_QUANTITY_CONSTRAINT_MAX, NULL);
    aside[m] = shk_is_rounding(outcome, hidden);
    if (aside[m])
      rounding = fmax(rounding, size);
    else
      most = fmax(most, size);
  }
  *level = rounding;
  return rounding > 0 && most > 1000 * rounding;
}

/* Lists the names of the methods that are set aside in a strip at the bottom of the panel. If the
 * names are too long, the strip gives the number of methods and the caption names them. */
static void name_aside(const struct shk_drawing *drawing, struct shk_chart *chart,
                       const struct shk_runs *runs, const bool *aside, const char *quantity,
                       double level)
{
  enum { WIDEST_STRIP = 27 }; /* in units of the type size */
  char *names = NULL;
  int count = 0;
  for (int m = 0, i = 0; m < drawing->methods.count && aside; m++)
    if (runs->of[m]) {
      if (aside[m]) {
        shk_append_text(&names, "%s%s", count++ > 0 ? ", " : "", drawing->shown[m]);
        shk_chart_unseen(chart, i);
      }
      i++;
    }
  if (!names)
    return;
  const struct shk_phrase size = shk_phrase_number(level, 2);
  char *const strip = shk_print_text("round-off %s: %s", size.text, names);
  const bool wide = shk_text_width(strip) > WIDEST_STRIP;
  shk_chart_note(chart, "Not drawn because %s is at round-off (at most %s): %s", quantity,
                 size.text, names);
  shk_chart_strip(chart,
                  wide ? shk_phrase("round-off %s: %d methods", size.text, count).text : strip);
  free(strip);
  free(names);
}

static bool draw_constraint(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                            const char *precision, const char *part)
{
  const bool hidden = strcmp(part, "hidden") == 0;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_CONSTRAINT, NULL))
    return true;
  bool *const aside = shk_allocate((size_t)drawing->methods.count, sizeof *aside);
  double level;
  const bool any = set_aside(aside, &level, drawing, &runs, hidden);
  write_blocks(drawing, chart, &runs, hidden ? SHK_SERIES_HIDDEN : SHK_SERIES_CONSTRAINT, NULL,
               true, LARGEST_SIZE, 1, any ? aside : NULL);
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs.of[m])
      shk_chart_list(chart, "aside", any && aside[m]);
  name_aside(drawing, chart, &runs, any ? aside : NULL, hidden ? "|G H_p|" : "|g|", level);
  free(aside);
  if (hidden) {
    shk_chart_part(chart, "hidden constraint", "hidden constraint");
    shk_chart_note(chart, "The hidden constraint G H_p is the derivative of g along the flow");
  }
  note_sizes(drawing, chart, &runs, SHK_SERIES_CONSTRAINT, NULL);
  shk_chart_quantity(chart, "ylabel",
                     hidden ? SHK_QUANTITY_HIDDEN_MAX : SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS,
                     NULL, "");
  return true;
}

const struct shk_figure_kind shk_figure_kind_constraint = {.title =
                                                               "Constraint violation along the run",
                                                           .draw = draw_constraint,
                                                           .stacked = true,
                                                           .each_problem = true};

/* Adds a panel that shows one constraint with its sign. The part names the constraint ("g1", "g2",
 * …). */
static bool draw_single_constraint(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                                   const char *precision, const char *part)
{
  const char *const number = part + 1;
  const struct shk_phrase plain = shk_phrase("{/:Italic g}_{%s}", number),
                          latex = shk_phrase("g_{%s}", number);
  const struct followed single = {.series = SHK_SERIES_SINGLE_CONSTRAINT,
                                  .parameter = number,
                                  .plain = plain.text,
                                  .latex = latex.text,
                                  .unit = ""};
  const struct shk_phrase name = shk_phrase("constraint-%s", number);
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_SERIES_SINGLE_CONSTRAINT);
  bool any = false;
  for (int m = 0; m < drawing->methods.count; m++)
    any = any || (runs.of[m] && shk_outcome_series(&runs.of[m]->outcome, name.text));
  if (!any ||
      !shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_SINGLE_CONSTRAINT, NULL))
    return true;
  bool *const aside = shk_allocate((size_t)drawing->methods.count, sizeof *aside);
  double level;
  const bool tiny = set_aside(aside, &level, drawing, &runs, false);
  /* a linear axis shows all methods */
  if (!draw_unfitted(drawing, chart, &runs, &single, tiny ? aside : NULL))
    name_aside(drawing, chart, &runs, tiny ? aside : NULL, "|g|", level);
  free(aside);
  return true;
}

const struct shk_figure_kind shk_figure_kind_single_constraints = {
    .measure = "regularity",
    .title = "Single constraints along the run",
    .template = "energy",
    .only_by_name = true,
    .draw = draw_single_constraint,
    .most_parts = 4,
    .first_part = true,
    .stacked = true,
    .each_problem = true};

/* ---- regularity ---- */

static struct shk_phrase crossing_words(const struct shk_drawing *drawing,
                                        const struct shk_record *run)
{
  const double count = shk_recorded(&run->outcome, SHK_QUANTITY_CROSSINGS, NULL);
  (void)drawing;
  return isfinite(count) ? shk_phrase("%.0f sign change%s", count, count == 1 ? "" : "s")
                         : shk_phrase("%s", "");
}

/*
 * Draws the smallest singular value of the scaled constraint Jacobian, with its sign. Marks show
 * the crossings that were found, with numbers for the run chosen by shk_numbered_run. The panel
 * below shows the largest multiplier, which can grow at a crossing even if the motion is smooth.
 * The legend counts the sign changes of all singular values; when two of them vanish together, the
 * smallest one changes sign only once.
 */
static bool draw_regularity(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                            const char *precision, const char *part)
{
  const bool signed_value = strcmp(part, "singular-value") == 0;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, SHK_SERIES_SINGULAR_VALUE,
                      signed_value ? crossing_words : NULL))
    return true;
  write_blocks(drawing, chart, &runs,
               signed_value ? SHK_SERIES_SINGULAR_VALUE : SHK_SERIES_MULTIPLIER, NULL,
               !signed_value, signed_value ? SIGNED_MEAN_AND_BAND : LARGEST_SIZE, 1, NULL);
  const struct shk_panel *const panel = &chart->panels[chart->panel_count - 1];
  shk_chart_set(chart, "signed", signed_value);
  if (signed_value)
    shk_chart_note(chart,
                   "σ_min is the smallest singular value of G M^(-1/2), whose rows have length "
                   "one at the start; it changes its sign at a crossing");
  if (signed_value)
    shk_chart_words(chart, "ylabel", "signed {/:Italic σ}_{min}", "signed $\\sigma_{\\min}$");
  else
    shk_chart_words(chart, "ylabel", "max |{/:Italic λ}|", "$\\max|\\lambda|$");
  for (int m = 0; m < drawing->methods.count && signed_value; m++) {
    if (!runs.of[m])
      continue;
    const struct shk_series *series = shk_drawn_series(runs.of[m], SHK_SERIES_CROSSING);
    shk_chart_run_block(drawing, chart, runs.of[m], "crossings: time, value left there");
    for (int k = 0; series && k < series->count; k++) {
      SHK_CHART_ROW(chart, series->time[k], series->mean[k]);
      shk_chart_point(chart, m, series->time[k], series->mean[k]);
      shk_chart_point(chart, m, NAN, NAN);
    }
  }
  const struct shk_series *const series = shk_drawn_series(
      signed_value ? shk_numbered_run(drawing, chart, &runs) : NULL, SHK_SERIES_CROSSING);
  /* Crossings at nearly the same time share a tag, because several singular values can vanish
   * together. */
  for (int k = 0, end; series && k < series->count; k = end) {
    const double time[] = {series->time[k], series->time[k]},
                 value[] = {series->mean[k], series->mean[k]};
    for (end = k + 1; end < series->count && series->time[end] - time[0] < 0.01 * panel->x.to;)
      end++;
    const struct shk_phrase numbers =
        end > k + 1 ? shk_phrase("%d,%d", k + 1, end) : shk_phrase("%d", end);
    shk_chart_tag(chart, time, value, shk_phrase("{/:Italic t}_{%s}", numbers.text).text,
                  shk_phrase("$t_{%s}$", numbers.text).text);
  }
  if (signed_value)
    shk_chart_tag(chart, (const double[]){panel->x.from, panel->x.to}, (const double[]){0, 0}, "",
                  "");
  return true;
}

const struct shk_figure_kind shk_figure_kind_regularity = {
    .measure = "regularity",
    .title = "Constraint regularity along the run",
    .draw = draw_regularity,
    .stacked = true,
    .each_problem = true};
