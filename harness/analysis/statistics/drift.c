/*
 * Energy classes from the interval series (min, mean, max) of H - H(0).
 *
 * The run is cut into 32 windows (16 at least). A straight line through the window means gives the
 * secular slope; lines through the window maxima and minima give it again from the extremes, which
 * do not alias with an oscillation as the means may. Standard errors are those of least squares,
 * enlarged by sqrt((1+r)/(1-r)) for a lag-1 autocorrelation r of the residuals, without which a
 * slow beat, or a random walk, passes for a drift.
 *
 * In this order:
 * - blow-up: a value that is NaN or 1000 times the problem's energy; or a run that ended
 *   early with 10 times the problem's energy.
 * - exact: |H - H(0)| within 10 eps·scale·(3 + sqrt(steps)).
 * - exponential: grew by 100 or more over the run, and log|H - H(0)| is straighter in t than in
 *   log t.
 * - random walk: RMS of the increments of the means over a lag grows like lag^(0.35…0.65), and the
 *   means wander by more than the oscillation explains.
 * - bounded: |slope|·T < max(3 standard errors, 2 % of the oscillation), for means and extremes,
 *   and the standard error small enough to have seen a drift of a quarter of the oscillation.
 * - drift: either all means of the second half are 5 times the oscillation away from H(0), as when
 *   the system runs down to rest; or the slope of the means and of both extremes is beyond the
 *   bound above, of one sign and like size, and linear (either half shows it).
 * - else undetermined.
 *
 * Increments over a lag: for block means of a random walk E(x_{i+k}-x_i)² = s²(k - 1/3), so lags
 * start at 2 blocks, where the exponent is biased by less than 0.1.
 */
#include "harness/analysis/statistics/drift.h"
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_WINDOWS = SHK_ENERGY_LEAST_WINDOWS, WINDOWS = SHK_ENERGY_WINDOWS, BLOCKS = 128 };

struct windows {
  int count;
  double time[BLOCKS], mean[BLOCKS], low[BLOCKS], high[BLOCKS];
};

struct line {
  double slope, error; /* corrected standard error */
};

static const char *const words[SHK_ENERGY_CLASSES] = {
    "undetermined",
#define CLASS(id, word) word,
#include "harness/analysis/statistics/classes.def"
#undef CLASS
};

const char *shk_energy_word(enum shk_energy_class class)
{
  return words[class];
}

enum shk_energy_class shk_energy_class_named(const char *word)
{
  int class = 0;
  while (class < SHK_ENERGY_CLASSES && strcmp(words[class], word) != 0)
    class ++;
  return (enum shk_energy_class) class;
}

/* Gathers the intervals into `count` windows of as nearly equal length as they allow. */
static void gather(struct windows *windows, const struct shk_series *series, int count)
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

static struct line fit_line(const double *x, const double *y, int count)
{
  double c0, c1, cov00, cov01, cov11, sum;
  gsl_fit_linear(x, 1, y, 1, (size_t)count, &c0, &c1, &cov00, &cov01, &cov11, &sum);
  double product = 0, square = 0, before = 0;
  for (int i = 0; i < count; i++) {
    const double residual = y[i] - (c0 + c1 * x[i]);
    square += residual * residual;
    product += i > 0 ? residual * before : 0;
    before = residual;
  }
  const double r = square > 0 ? fmin(fmax(product / square, 0), 0.99) : 0;
  return (struct line){c1, sqrt(cov11) * sqrt((1 + r) / (1 - r))};
}

/* Exponent of the RMS increment of block means over a lag; NaN with too few blocks. */
static double increment_exponent(const struct shk_series *series)
{
  struct windows blocks;
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

/* Whether what grew by 100 or more over the run did so exponentially. */
static bool grows_exponentially(struct shk_drift *drift, const struct windows *w)
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
  /* The tail that left the first quarter's level behind. */
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
  double c0, c1, cov00, cov01, cov11, exponential, power;
  gsl_fit_linear(w->time + first, 1, y, 1, (size_t)count, &c0, &c1, &cov00, &cov01, &cov11,
                 &exponential);
  const double rate = c1;
  gsl_fit_linear(log_time, 1, y, 1, (size_t)count, &c0, &c1, &cov00, &cov01, &cov11, &power);
  if (rate <= 0 || exponential > 0.25 * power)
    return false;
  drift->class = SHK_ENERGY_EXPONENTIAL;
  drift->slope = rate;
  drift->slope_half_width = NAN;
  snprintf(drift->why, sizeof drift->why, "grows like exp(%.3g t)", rate);
  return true;
}

/* Median over the windows of what their range has beyond the move from window to window. */
static double median_oscillation(const struct windows *w)
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

/* How far the means of the second half are from H(0), all of them. */
static double departure(const struct windows *w)
{
  double least = INFINITY;
  for (int i = w->count / 2; i < w->count; i++)
    least = fmin(least, fabs(w->mean[i]));
  return least;
}

/* Whether the energy went to another level and stays there: all windows of the second half are far
 * from H(0) and close together. What walks at random is spread over the second half as well. */
static bool has_settled_elsewhere(const struct windows *w, double oscillation)
{
  const int half = w->count / 2;
  const size_t late = (size_t)(w->count - half);
  const double spread =
      gsl_stats_max(w->mean + half, 1, late) - gsl_stats_min(w->mean + half, 1, late);
  return departure(w) > 5 * oscillation && spread < 0.05 * departure(w);
}

/* The level about which the energy of a run is from its first steps on, 0 if that is H(0): the
 * state that SHAKE carries lies off the hidden constraint, and its energy beside that of a start
 * which lies on it, by O(h²) and for good. What goes anywhere later has left H(0). */
static double first_level(const struct windows *w, const struct shk_energy_run *run,
                          double oscillation)
{
  const double first = run->series->mean[0], late = w->mean[w->count - 1];
  const bool there = fabs(late - first) < 0.05 * fabs(late) && fabs(late) < 0.1 * run->scale;
  return there && departure(w) > 5 * oscillation ? first : 0;
}

/* Takes the level off the windows; returns the largest size that is left. */
static double level_out(struct windows *w, double level)
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

/* Whether both halves show the slope: each of the same sign and between a third and three times. */
static bool is_linear(const struct windows *w, double slope)
{
  const int half = w->count / 2;
  const double early = fit_line(w->time, w->mean, half).slope / slope;
  const double late = fit_line(w->time + half, w->mean + half, w->count - half).slope / slope;
  return early > 1.0 / 3 && early < 3 && late > 1.0 / 3 && late < 3;
}

void shk_energy_windows(struct shk_energy_windows *windows, const struct shk_series *series)
{
  struct windows w;
  gather(&w, series, WINDOWS);
  *windows = (struct shk_energy_windows){
      .count = w.count, .slope = NAN, .early_slope = NAN, .late_slope = NAN, .oscillation = NAN};
  memcpy(windows->time, w.time, (size_t)w.count * sizeof *w.time);
  memcpy(windows->mean, w.mean, (size_t)w.count * sizeof *w.mean);
  if (w.count < LEAST_WINDOWS)
    return;
  const int half = w.count / 2;
  windows->slope = fit_line(w.time, w.mean, w.count).slope;
  windows->early_slope = fit_line(w.time, w.mean, half).slope;
  windows->late_slope = fit_line(w.time + half, w.mean + half, w.count - half).slope;
  windows->oscillation = median_oscillation(&w);
}

static void classify_windows(struct shk_drift *drift, const struct shk_energy_run *run)
{
  struct windows w;
  gather(&w, run->series, WINDOWS);
  const double T = run->series->time[run->series->count - 1];
  const struct line mean = fit_line(w.time, w.mean, w.count);
  const struct line low = fit_line(w.time, w.low, w.count);
  const struct line high = fit_line(w.time, w.high, w.count);
  drift->slope = mean.slope;
  drift->slope_half_width = 2 * mean.error;
  drift->oscillation = median_oscillation(&w);
  drift->exponent = increment_exponent(run->series);
  const double change = fabs(mean.slope) * T;
  const double level = first_level(&w, run, drift->oscillation);
  const double left = level_out(&w, level);
  drift->near_roundoff = (level != 0 ? left : drift->largest) <= 1000 * drift->floor;
  if (level != 0 && left <= 10 * drift->floor) {
    drift->class = SHK_ENERGY_BOUNDED;
    snprintf(drift->why, sizeof drift->why,
             "keeps to the level %.3g from H(0) of its first steps, to round-off", level);
    return;
  }

  if (grows_exponentially(drift, &w))
    return;

  const double wander =
      gsl_stats_max(w.mean, 1, (size_t)w.count) - gsl_stats_min(w.mean, 1, (size_t)w.count);
  const double two_percent = 0.02 * drift->oscillation;
  const bool mean_moves = change > fmax(3 * mean.error * T, two_percent);
  const bool low_moves = fabs(low.slope) * T > fmax(3 * low.error * T, two_percent);
  const bool high_moves = fabs(high.slope) * T > fmax(3 * high.error * T, two_percent);

  if (has_settled_elsewhere(&w, drift->oscillation)) {
    drift->class = SHK_ENERGY_DRIFT;
    snprintf(drift->why, sizeof drift->why, "went to a level %.3g from H(0) and stays there",
             departure(&w));
    return;
  }
  if (drift->exponent >= 0.35 && drift->exponent <= 0.65 && wander > drift->oscillation) {
    drift->class = SHK_ENERGY_RANDOM_WALK;
    snprintf(drift->why, sizeof drift->why, "increments grow like lag^%.2f", drift->exponent);
    return;
  }
  if (departure(&w) > 5 * drift->oscillation) {
    drift->class = SHK_ENERGY_DRIFT;
    snprintf(drift->why, sizeof drift->why, "left H(0) by %.3g and does not come back",
             departure(&w));
    return;
  }
  if (!mean_moves && !low_moves && !high_moves) {
    const bool resolved = 3 * mean.error * T <= 0.25 * drift->oscillation;
    const bool calm = wander <= 0.25 * drift->oscillation || drift->exponent < 0.3;
    if (resolved && calm) {
      drift->class = SHK_ENERGY_BOUNDED;
      snprintf(drift->why, sizeof drift->why, "slope·T is %.2g of the oscillation",
               change / drift->oscillation);
      return;
    }
    snprintf(drift->why, sizeof drift->why,
             "no slope is significant, but the means wander by %.2g of the oscillation",
             wander / drift->oscillation);
    return;
  }
  const bool one_sign = mean.slope * low.slope > 0 && mean.slope * high.slope > 0;
  const double least = fmin(fabs(low.slope), fabs(high.slope));
  const double most = fmax(fabs(low.slope), fabs(high.slope));
  if (!(mean_moves && low_moves && high_moves && one_sign)) {
    snprintf(drift->why, sizeof drift->why,
             "slopes disagree: times T over the oscillation, means %.2g, minima %.2g, maxima %.2g",
             mean.slope * T / drift->oscillation, low.slope * T / drift->oscillation,
             high.slope * T / drift->oscillation);
    return;
  }
  if (!(is_linear(&w, mean.slope) && least > fabs(mean.slope) / 3 && most < 3 * fabs(mean.slope))) {
    snprintf(drift->why, sizeof drift->why, "moves by %.2g of the oscillation, but not linearly",
             change / drift->oscillation);
    return;
  }
  drift->class = SHK_ENERGY_DRIFT;
  snprintf(drift->why, sizeof drift->why, "slope %.3g ± %.1g", mean.slope, drift->slope_half_width);
}

double shk_energy_hidden_slope(const struct shk_drift *drift, const struct shk_series *series)
{
  return 3 * fmax(drift->largest, drift->floor) / series->time[series->count - 1];
}

void shk_energy_classify(struct shk_drift *drift, const struct shk_energy_run *run)
{
  const struct shk_series *series = run->series;
  *drift = (struct shk_drift){.slope = NAN,
                              .slope_half_width = NAN,
                              .oscillation = NAN,
                              .largest = 0,
                              .exponent = NAN,
                              .floor = run->epsilon * run->scale * (3 + sqrt(run->steps))};
  bool finite = true;
  for (int i = 0; i < series->count; i++) {
    finite = finite && isfinite(series->minimum[i]) && isfinite(series->mean[i]) &&
             isfinite(series->maximum[i]);
    drift->largest = fmax(drift->largest, fmax(fabs(series->minimum[i]), fabs(series->maximum[i])));
  }
  if (!finite || run->not_finite || drift->largest > 1000 * run->scale ||
      (!run->finished && drift->largest > 10 * run->scale)) {
    drift->class = SHK_ENERGY_BLOW_UP;
    snprintf(drift->why, sizeof drift->why, "reached %.2g times the problem's energy%s",
             drift->largest / run->scale, finite && !run->not_finite ? "" : " and then no number");
    return;
  }
  if (!run->finished) {
    snprintf(drift->why, sizeof drift->why, "the run ended early");
    return;
  }
  if (series->count < LEAST_WINDOWS) {
    snprintf(drift->why, sizeof drift->why, "%d intervals, %d needed", series->count,
             LEAST_WINDOWS);
    return;
  }
  if (drift->largest <= 10 * drift->floor) {
    drift->class = SHK_ENERGY_EXACT;
    drift->slope = drift->oscillation = 0;
    drift->slope_half_width = shk_energy_hidden_slope(drift, series);
    snprintf(drift->why, sizeof drift->why, "|H - H(0)| stays below %.2g", 10 * drift->floor);
    return;
  }
  classify_windows(drift, run);
}

void shk_energy_combine(struct shk_drift *drift, const struct shk_drift *runs, int count,
                        double time_scales)
{
  const struct shk_drift *chosen[3]; /* finest first */
  int used = 0, exact = 0, tally[SHK_ENERGY_CLASSES] = {0};
  for (int i = count - 1; i >= 0; i--) {
    exact += runs[i].class == SHK_ENERGY_EXACT;
    if (runs[i].class != SHK_ENERGY_EXACT && used < 3) {
      chosen[used++] = &runs[i];
      tally[runs[i].class]++;
    }
  }
  if (count == 0) {
    *drift = (struct shk_drift){.slope = NAN,
                                .slope_half_width = NAN,
                                .oscillation = NAN,
                                .largest = NAN,
                                .exponent = NAN,
                                .floor = NAN};
    snprintf(drift->why, sizeof drift->why, "no run reached its end");
    return;
  }
  *drift = used > 0 ? *chosen[0] : runs[count - 1];
  const enum shk_energy_class finest = drift->class;
  char evidence[sizeof drift->why];
  memcpy(evidence, drift->why, sizeof evidence);
  drift->class = SHK_ENERGY_UNDETERMINED;

  if (isnan(time_scales)) {
    snprintf(drift->why, sizeof drift->why, "the problem's time scale is unknown (so far %s)",
             shk_energy_word(finest));
    return;
  }
  if (time_scales < SHK_ENERGY_TIME_SCALES) {
    /* Over a few periods an oscillation looks like anything. */
    const bool indicative = time_scales >= 0.1 * SHK_ENERGY_TIME_SCALES;
    drift->too_short = true;
    snprintf(drift->why, sizeof drift->why, "run too short: %.4g time scales, %.0f needed%s%s%s",
             time_scales, SHK_ENERGY_TIME_SCALES, indicative ? " (so far " : "",
             indicative ? shk_energy_word(finest) : "", indicative ? ")" : "");
    return;
  }
  if (count < 3) {
    snprintf(drift->why, sizeof drift->why, "%d step%s, 3 needed (so far %s)", count,
             count == 1 ? "" : "s", shk_energy_word(finest));
    return;
  }
  if (used == 0) {
    drift->class = SHK_ENERGY_EXACT;
    return;
  }
  /* What a coarse step alone shows where the finer ones are at round-off is shown by it alone. */
  for (int class = SHK_ENERGY_RANDOM_WALK; class < SHK_ENERGY_CLASSES; class ++)
    if (tally[class] >= 2) {
      drift->class = (enum shk_energy_class) class;
      for (int i = 0; i < used; i++)
        if (chosen[i]->class == drift->class) {
          *drift = *chosen[i];
          break;
        }
      return;
    }
  if (tally[SHK_ENERGY_BOUNDED] == used && used + exact >= 3) {
    drift->class = SHK_ENERGY_BOUNDED;
    memcpy(drift->why, evidence, sizeof evidence);
    return;
  }
  char *end = drift->why;
  size_t room = sizeof drift->why;
  int length = snprintf(end, room, "steps disagree (finest first):");
  for (int i = 0; i < used && length > 0 && (size_t)length < room; i++) {
    end += length;
    room -= (size_t)length;
    length = snprintf(end, room, "%s %s", i ? "," : "", shk_energy_word(chosen[i]->class));
  }
  /* A single run gives its own reason if no other run decides. */
  if (tally[SHK_ENERGY_UNDETERMINED] == used)
    memcpy(drift->why, evidence, sizeof evidence);
}
