/*
 * Energy classes from the interval series (min, mean, max) of H - H(0).
 *
 * The run is cut into 32 windows (16 at least). A straight line through the window means gives the
 * secular slope; lines through the window maxima and minima give it again from the extremes, which
 * do not alias with an oscillation as the means may. Standard errors are those of least squares,
 * enlarged by sqrt((1+r)/(1-r)) for a lag-1 autocorrelation r of the residuals. Without this factor
 * a slow beat, or a random walk, looks like a drift.
 */
#include "harness/analysis/statistics/drift.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

enum { LEAST_WINDOWS = SHK_ENERGY_LEAST_WINDOWS, BLOCKS = SHK_ENERGY_MOST_WINDOWS };

static const char *const words[SHK_ENERGY_CLASSES] = {
    "undetermined",
#define CLASS(id, word) word,
#include "harness/analysis/statistics/classes.def"
#undef CLASS
};

const struct shk_drift shk_no_drift = {.slope = NAN,
                                       .slope_half_width = NAN,
                                       .oscillation = NAN,
                                       .largest = NAN,
                                       .exponent = NAN,
                                       .floor = NAN};

const char *shk_energy_word(enum shk_energy_class class)
{
  return words[class];
}

/*
 * Criteria of the classes, in this order:
 * - blow-up: a value that is NaN or 1000 times the problem's energy; or a run that ended early with
 *   10 times the problem's energy.
 * - exact: |H - H(0)| within 10 eps·scale·(3 + sqrt(steps)).
 * - exponential: grew by 100 or more over the run, and log|H - H(0)| is straighter in t than in
 *   log t.
 * - random walk: RMS of the increments of the means over a lag grows like lag^(0.35…0.65), and the
 *   means spread by more than the oscillation explains.
 * - bounded: |slope|·T < max(3 standard errors, 2 % of the oscillation), for means and extremes,
 *   and the standard error small enough to show a drift of a quarter of the oscillation.
 * - drift: either all means of the second half are 5 times the oscillation away from H(0), as when
 *   the system dissipates to rest; or the slope of the means and of both extremes is beyond the
 *   bound above, of one sign and similar size, and linear (either half shows it).
 * - else undetermined.
 *
 * Increments over a lag: for block means of a random walk E(x_{i+k}-x_i)² = s²(k - 1/3), so lags
 * start at 2 blocks, where the bias of the exponent is below 0.1.
 */

enum shk_energy_class shk_energy_class_named(const char *word)
{
  int class = 0;
  while (class < SHK_ENERGY_CLASSES && strcmp(words[class], word) != 0)
    class ++;
  return (enum shk_energy_class) class;
}

/* Gathers the intervals into `count` windows, of lengths as equal as possible. */
static void gather(struct shk_energy_windows *windows, const struct shk_series *series, int count)
{
  if (count > series->count)
    count = series->count;
  windows->count = count;
  for (int w = 0; w < count; w++) {
    const int begin = (int)((long)w * series->count / count);
    const int end = (int)((long)(w + 1) * series->count / count);
    const double from = begin > 0 ? series->time[begin - 1] : 0;
    double sum = 0, weight = 0, low = INFINITY, high = -INFINITY;
    for (int i = begin; i < end; i++) {
      const double length = series->time[i] - (i > 0 ? series->time[i - 1] : 0);
      sum += length * series->mean[i];
      weight += length;
      low = fmin(low, series->minimum[i]);
      high = fmax(high, series->maximum[i]);
    }
    windows->time[w] = 0.5 * (from + series->time[end - 1]);
    windows->mean[w] = sum / weight;
    windows->low[w] = low;
    windows->high[w] = high;
  }
}

/* Fits a line, with the standard error enlarged for the autocorrelation of the residuals. */
static struct shk_line fit_line(const double *x, const double *y, int count)
{
  struct shk_line line = shk_line_fit(x, y, count);
  double product = 0, square = 0, before = 0;
  for (int i = 0; i < count; i++) {
    const double residual = y[i] - (line.constant + line.slope * x[i]);
    square += residual * residual;
    product += i > 0 ? residual * before : 0;
    before = residual;
  }
  const double r = square > 0 ? fmin(fmax(product / square, 0), 0.99) : 0;
  line.error *= sqrt((1 + r) / (1 - r));
  return line;
}

/* Returns the exponent of the RMS increment of block means over a lag; NaN with too few blocks. */
static double increment_exponent(const struct shk_series *series)
{
  struct shk_energy_windows blocks;
  gather(&blocks, series, BLOCKS);
  if (blocks.count < BLOCKS / 2)
    return NAN;
  double x[8], y[8];
  int count = 0;
  for (int lag = 2; lag <= blocks.count / 4; lag *= 2) {
    double sum = 0;
    for (int i = 0; i + lag < blocks.count; i++) {
      const double step = blocks.mean[i + lag] - blocks.mean[i];
      sum += step * step;
    }
    if (!(sum > 0))
      return NAN;
    x[count] = log(lag);
    y[count++] = 0.5 * log(sum / (blocks.count - lag));
  }
  return fit_line(x, y, count).slope;
}

/* True if a growth by 100 or more over the run was exponential. */
static bool grows_exponentially(struct shk_drift *drift, const struct shk_energy_windows *w)
{
  double size[BLOCKS], sorted[BLOCKS];
  for (int i = 0; i < w->count; i++)
    size[i] = fmax(fabs(w->low[i]), fabs(w->high[i]));
  const size_t quarter = (size_t)w->count / 4;
  memcpy(sorted, size, quarter * sizeof *sorted);
  gsl_sort(sorted, 1, quarter);
  const double start = gsl_stats_median_from_sorted_data(sorted, 1, quarter);
  if (!(size[w->count - 1] >= 100 * start))
    return false;
  /* The tail: the windows that have left the level of the first quarter. */
  int first = w->count;
  while (first > 0 && size[first - 1] > 3 * start)
    first--;
  const int count = w->count - first;
  if (count < 6)
    return false;
  double y[BLOCKS], log_time[BLOCKS];
  for (int i = 0; i < count; i++) {
    y[i] = log(size[first + i]);
    log_time[i] = log(w->time[first + i]);
  }
  const struct shk_line exponential = shk_line_fit(w->time + first, y, count);
  if (exponential.slope <= 0 ||
      exponential.squares > 0.25 * shk_line_fit(log_time, y, count).squares)
    return false;
  drift->slope = exponential.slope;
  drift->slope_half_width = NAN;
  shk_conclude(drift, SHK_ENERGY_EXPONENTIAL, "grows like exp(%.3g t)", drift->slope);
  return true;
}

/* Returns the median over the windows of their range beyond the change from window to window. */
static double median_oscillation(const struct shk_energy_windows *w)
{
  double range[BLOCKS];
  for (int i = 0; i < w->count; i++) {
    const int before = i > 0 ? i - 1 : 0, after = i < w->count - 1 ? i + 1 : i;
    const double move = fabs(w->mean[after] - w->mean[before]) / (after - before);
    range[i] = fmax(w->high[i] - w->low[i] - move, 0);
  }
  gsl_sort(range, 1, (size_t)w->count);
  return gsl_stats_median_from_sorted_data(range, 1, (size_t)w->count);
}

/* Returns the least distance of the means of the second half from H(0). */
static double departure(const struct shk_energy_windows *w)
{
  double least = INFINITY;
  for (int i = w->count / 2; i < w->count; i++)
    least = fmin(least, fabs(w->mean[i]));
  return least;
}

/* True if the energy moved to another level and stays there: all windows of the second half are far
 * from H(0) and close together. A random walk is spread over the second half too. */
static bool has_settled_elsewhere(const struct shk_energy_windows *w, double oscillation)
{
  const int half = w->count / 2;
  const size_t late = (size_t)(w->count - half);
  const double spread =
      gsl_stats_max(w->mean + half, 1, late) - gsl_stats_min(w->mean + half, 1, late);
  return departure(w) > 5 * oscillation && spread < 0.05 * departure(w);
}

/* Returns the level about which the energy stays from its first steps on, 0 if that is H(0). A
 * state of SHAKE is off the hidden constraint, and its energy differs permanently by O(h²) from
 * that of a start on it. Energies that move later have left H(0). */
static double first_level(const struct shk_energy_windows *w, const struct shk_energy_run *run,
                          double oscillation)
{
  const double first = run->series->mean[0], late = w->mean[w->count - 1];
  const bool there = fabs(late - first) < 0.05 * fabs(late) && fabs(late) < 0.1 * run->scale;
  return there && departure(w) > 5 * oscillation ? first : 0;
}

/* Subtracts the level from the windows; returns the largest remaining size. */
static double level_out(struct shk_energy_windows *w, double level)
{
  double largest = 0;
  for (int i = 0; i < w->count; i++) {
    w->mean[i] -= level;
    w->low[i] -= level;
    w->high[i] -= level;
    largest = fmax(largest, fmax(fabs(w->low[i]), fabs(w->high[i])));
  }
  return largest;
}

void shk_energy_windows(struct shk_energy_windows *w, const struct shk_series *series)
{
  gather(w, series, SHK_ENERGY_WINDOWS);
  const int half = w->count / 2;
  if (w->count < LEAST_WINDOWS)
    return;
  w->slope = fit_line(w->time, w->mean, w->count);
  w->early = fit_line(w->time, w->mean, half);
  w->late = fit_line(w->time + half, w->mean + half, w->count - half);
  w->oscillation = median_oscillation(w);
}

bool shk_is_linear(double slope, double early, double late)
{
  return early / slope > 1.0 / 3 && early / slope < 3 && late / slope > 1.0 / 3 && late / slope < 3;
}

/* Sets the class if the energy has left its first level permanently, or walks at random; else
 * returns false. `wander`: the range of the window means. */
static bool leaves_level(struct shk_drift *drift, const struct shk_energy_windows *w, double wander)
{
  if (has_settled_elsewhere(w, drift->oscillation))
    shk_conclude(drift, SHK_ENERGY_DRIFT, "went to a level %.3g from H(0) and stays there",
                 departure(w));
  else if (drift->exponent >= 0.35 && drift->exponent <= 0.65 && wander > drift->oscillation)
    shk_conclude(drift, SHK_ENERGY_RANDOM_WALK, "increments grow like lag^%.2f", drift->exponent);
  else if (departure(w) > 5 * drift->oscillation)
    shk_conclude(drift, SHK_ENERGY_DRIFT, "left H(0) by %.3g and does not return", departure(w));
  else
    return false;
  return true;
}

/* True if a slope over the time T exceeds its error and two percent of the oscillation. */
static bool moves(const struct shk_line *line, double T, double oscillation)
{
  return fabs(line->slope) * T > fmax(3 * line->error * T, 0.02 * oscillation);
}

/* Lines through the means and both extremes of a run of length T. */
struct trend {
  double T;
  struct shk_line mean, low, high;
};

static void classify_trend(struct shk_drift *drift, const struct shk_energy_windows *w,
                           const struct trend *trend, double wander)
{
  const double oscillation = drift->oscillation, T = trend->T, mean = trend->mean.slope,
               low = trend->low.slope, high = trend->high.slope, change = fabs(mean) * T;
  const bool mean_moves = moves(&trend->mean, T, oscillation),
             low_moves = moves(&trend->low, T, oscillation),
             high_moves = moves(&trend->high, T, oscillation);
  const double least = fmin(fabs(low), fabs(high)), most = fmax(fabs(low), fabs(high));
  if (!mean_moves && !low_moves && !high_moves) {
    const bool resolved = 3 * trend->mean.error * T <= 0.25 * oscillation;
    const bool calm = wander <= 0.25 * oscillation || drift->exponent < 0.3;
    if (resolved && calm)
      shk_conclude(drift, SHK_ENERGY_BOUNDED, "slope·T is %.2g of the oscillation",
                   change / oscillation);
    else
      shk_conclude(drift, SHK_ENERGY_UNDETERMINED,
                   "no slope is significant, but the means vary by %.2g of the oscillation",
                   wander / oscillation);
  } else if (!(mean_moves && low_moves && high_moves && mean * low > 0 && mean * high > 0)) {
    shk_conclude(
        drift, SHK_ENERGY_UNDETERMINED,
        "slopes disagree: slope·T over the oscillation, means %.2g, minima %.2g, maxima %.2g",
        mean * T / oscillation, low * T / oscillation, high * T / oscillation);
  } else if (!(shk_is_linear(mean, w->early.slope, w->late.slope) && least > fabs(mean) / 3 &&
               most < 3 * fabs(mean))) {
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED,
                 "moves by %.2g of the oscillation, but not linearly", change / oscillation);
  } else {
    shk_conclude(drift, SHK_ENERGY_DRIFT, "slope %.3g ± %.1g", mean, drift->slope_half_width);
  }
}

static void classify_windows(struct shk_drift *drift, const struct shk_energy_run *run)
{
  struct shk_energy_windows w;
  shk_energy_windows(&w, run->series);
  const struct trend trend = {.T = run->series->time[run->series->count - 1],
                              .mean = w.slope,
                              .low = fit_line(w.time, w.low, w.count),
                              .high = fit_line(w.time, w.high, w.count)};
  drift->slope = trend.mean.slope;
  drift->slope_half_width = 2 * trend.mean.error;
  drift->oscillation = w.oscillation;
  drift->exponent = increment_exponent(run->series);
  const double level = first_level(&w, run, drift->oscillation);
  const double left = level_out(&w, level);
  drift->near_roundoff = (level != 0 ? left : drift->largest) <= 1000 * drift->floor;
  if (level != 0 && left <= 10 * drift->floor) {
    shk_conclude(drift, SHK_ENERGY_BOUNDED,
                 "stays at the level of its first steps, %.3g from H(0), to round-off", level);
    return;
  }
  const double wander =
      gsl_stats_max(w.mean, 1, (size_t)w.count) - gsl_stats_min(w.mean, 1, (size_t)w.count);
  if (!grows_exponentially(drift, &w) && !leaves_level(drift, &w, wander))
    classify_trend(drift, &w, &trend, wander);
}

double shk_energy_hidden_slope(const struct shk_drift *drift, const struct shk_series *series)
{
  return 3 * fmax(drift->largest, drift->floor) / series->time[series->count - 1];
}

void shk_energy_classify(struct shk_drift *drift, const struct shk_energy_run *run)
{
  const struct shk_series *series = run->series;
  *drift = shk_no_drift;
  drift->largest = 0;
  drift->floor = run->epsilon * run->scale * (3 + sqrt(run->steps));
  bool finite = true;
  for (int i = 0; i < series->count; i++) {
    finite = finite && isfinite(series->minimum[i]) && isfinite(series->mean[i]) &&
             isfinite(series->maximum[i]);
    drift->largest = fmax(drift->largest, fmax(fabs(series->minimum[i]), fabs(series->maximum[i])));
  }
  if (!finite || run->not_finite || drift->largest > 1000 * run->scale ||
      (!run->finished && drift->largest > 10 * run->scale)) {
    shk_conclude(drift, SHK_ENERGY_BLOW_UP, "reached %.2g times the problem's energy%s",
                 drift->largest / run->scale,
                 finite && !run->not_finite ? "" : " and then a value that is not finite");
  } else if (!run->finished) {
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "the run ended early");
  } else if (series->count < LEAST_WINDOWS) {
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "%d intervals, %d needed", series->count,
                 LEAST_WINDOWS);
  } else if (drift->largest <= 10 * drift->floor) {
    drift->slope = drift->oscillation = 0;
    drift->slope_half_width = shk_energy_hidden_slope(drift, series);
    shk_conclude(drift, SHK_ENERGY_EXACT, "|H - H(0)| stays below %.2g", 10 * drift->floor);
  } else {
    classify_windows(drift, run);
  }
}

/* True if the runs are too few or too short to decide; stores the reason. */
static bool too_little(struct shk_drift *drift, int count, double time_scales)
{
  const char *const finest = shk_energy_word(drift->class);
  if (isnan(time_scales)) {
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "the problem's time scale is unknown (so far %s)",
                 finest);
  } else if (time_scales < SHK_ENERGY_TIME_SCALES) {
    /* Over a few periods an oscillation can look like any class. */
    const bool indicative = time_scales >= 0.1 * SHK_ENERGY_TIME_SCALES;
    drift->too_short = true;
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED,
                 "run too short: %.4g time scales, %.0f needed%s%s%s", time_scales,
                 SHK_ENERGY_TIME_SCALES, indicative ? " (so far " : "", indicative ? finest : "",
                 indicative ? ")" : "");
  } else if (count < 3) {
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "%d step%s, 3 needed (so far %s)", count,
                 count == 1 ? "" : "s", finest);
  } else {
    return false;
  }
  return true;
}

/* The three finest runs that are not at round-off decide: the first of the growing classes that two
 * or more of them show is the result. A coarse step alone decides nothing, even if the finer ones
 * are at round-off. */
void shk_energy_combine(struct shk_drift *drift, const struct shk_drift *runs, int count,
                        double time_scales)
{
  const struct shk_drift *used[3];
  int used_count = 0, exact = 0, tally[SHK_ENERGY_CLASSES] = {0};
  for (int i = count - 1; i >= 0; i--) {
    exact += runs[i].class == SHK_ENERGY_EXACT;
    if (runs[i].class == SHK_ENERGY_EXACT || used_count == 3)
      continue;
    used[used_count++] = &runs[i];
    tally[runs[i].class]++;
  }
  *drift = used_count > 0 ? *used[0] : count > 0 ? runs[count - 1] : shk_no_drift;
  if (count == 0)
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "no run reached its end");
  if (count == 0 || too_little(drift, count, time_scales) || used_count == 0)
    return;
  for (int class = SHK_ENERGY_RANDOM_WALK; class < SHK_ENERGY_CLASSES; class ++)
    for (int i = 0; tally[class] >= 2 && i < used_count; i++)
      if ((int)used[i]->class == class) {
        *drift = *used[i];
        return;
      }
  /* A single run gives its own reason if no other run decides. */
  if (tally[SHK_ENERGY_BOUNDED] == used_count && used_count + exact >= 3) {
    drift->class = SHK_ENERGY_BOUNDED;
  } else if (tally[SHK_ENERGY_UNDETERMINED] != used_count) {
    char steps[sizeof drift->why] = "";
    for (int i = 0; i < used_count; i++)
      snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "%s %s", i ? "," : "",
               shk_energy_word(used[i]->class));
    shk_conclude(drift, SHK_ENERGY_UNDETERMINED, "steps disagree (finest first):%s", steps);
  } else {
    drift->class = SHK_ENERGY_UNDETERMINED;
  }
}
