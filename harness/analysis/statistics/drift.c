/*
 * Energy classes from the interval series (min, mean, max) of H - H(0).
 *
 * The run is cut into 32 windows (16 at least). A straight line through the window means gives the
 * secular slope; so do lines through the window maxima and minima, which do not alias with an
 * oscillation as the means may. Standard errors are those of least squares, enlarged by
 * sqrt((1+r)/(1-r)) for a positive lag-1 autocorrelation r of the residuals. Without this factor a
 * slow beat, or a random walk, looks like a drift.
 */
#include "harness/analysis/statistics/drift.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

enum { LEAST_WINDOWS = SHK_ENERGY_LEAST_WINDOWS, BLOCKS = SHK_ENERGY_MOST_WINDOWS };

const char *const shk_energy_words[SHK_ENERGY_CLASSES] = {
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
                                       .settled = NAN,
                                       .floor = NAN};

/*
 * Criteria of the classes, in this order:
 * - blow-up: a value that is not finite or above 1000 times the problem's energy; or a run that
 *   ended early above 10 times the problem's energy. Other runs that ended early, or have fewer
 *   than 16 intervals, are undetermined.
 * - exact: |H - H(0)| within 10 eps·scale·(3 + sqrt(steps)); about another first level: bounded.
 * - exponential: grew by 100 or more over the run, and log|H - H(0)| is straighter in t than in
 *   log t.
 * - dissipates: the means fall from H(0) by more than 5 times the oscillation, none rises above an
 *   earlier one by more than a twentieth of the loss, the second half of the run loses less than a
 *   third of what the first one does, and the slope is not linear (see drift). An energy that falls
 *   at a constant rate drifts.
 * - random walk: RMS of the increments of the means over a lag grows like lag^(0.35…0.65), and the
 *   means spread by more than the oscillation; unless the energy went to another level.
 * - drift: either all means of the second half are 5 times the oscillation away from the first
 *   level; or |slope|·T > max(3 standard errors, 2 % of the
 *   oscillation) for the means and both extremes, with slopes of one sign and similar size in all
 *   and in both halves. With some slopes above that bound only: undetermined.
 * - bounded: 3 standard errors resolve a drift of a quarter of the oscillation, and the means stay
 *   within a quarter of it or their increments do not grow (exponent below 0.3).
 * - else undetermined.
 *
 * Increments over a lag: for block means of a random walk E(x_{i+k}-x_i)² = s²(k - 1/3), so lags
 * start at 2 blocks, where the bias of the exponent is below 0.1.
 */

enum shk_energy_class shk_energy_class_named(const char *word)
{
  int found = 0;
  while (found < SHK_ENERGY_CLASSES && strcmp(shk_energy_words[found], word) != 0)
    found++;
  return (enum shk_energy_class)found;
}

/* Gathers the intervals into at most `count` windows whose sizes differ by at most one. */
static void gather_drift(struct shk_energy_windows *windows, const struct shk_series *series,
                         int count)
{
  windows->count = count < series->count ? count : series->count;
  for (int k = 0; k < windows->count; k++) {
    const int begin = (int)((long)k * series->count / windows->count),
              end = (int)((long)(k + 1) * series->count / windows->count);
    const double from = begin > 0 ? series->time[begin - 1] : 0, to = series->time[end - 1];
    double sum = 0, before = from;
    for (int i = begin; i < end; i++) {
      sum += (series->time[i] - before) * series->mean[i];
      before = series->time[i];
    }
    windows->time[k] = 0.5 * (from + to);
    windows->mean[k] = sum / (to - from);
    windows->low[k] = gsl_stats_min(series->minimum + begin, 1, (size_t)(end - begin));
    windows->high[k] = gsl_stats_max(series->maximum + begin, 1, (size_t)(end - begin));
  }
}

/* Fits a line, with the standard error enlarged for the autocorrelation of the residuals. */
static struct shk_line fit_line(const double *x, const double *y, int count)
{
  struct shk_line line = shk_line_fit(x, y, count);
  double residuals[BLOCKS];
  for (int i = 0; i < count; i++)
    residuals[i] = y[i] - (line.constant + line.slope * x[i]);
  const double r = gsl_stats_lag1_autocorrelation(residuals, 1, (size_t)count);
  const double positive = fmin(fmax(r, 0), 0.99); /* 0 if there are no residuals */
  line.error *= sqrt((1 + positive) / (1 - positive));
  return line;
}

/* Returns the exponent of the RMS increment of block means over a lag; NaN with too few blocks. */
static double increment_exponent(const struct shk_series *series)
{
  struct shk_energy_windows blocks;
  double lags[8], sizes[8];
  int count = 0;
  gather_drift(&blocks, series, BLOCKS);
  if (blocks.count < BLOCKS / 2)
    return NAN;
  for (int lag = 2; lag <= blocks.count / 4; lag *= 2) {
    double sum = 0;
    for (int i = 0; i + lag < blocks.count; i++)
      sum += pow(blocks.mean[i + lag] - blocks.mean[i], 2);
    lags[count] = lag;
    sizes[count++] = sqrt(sum / (blocks.count - lag));
  }
  return shk_power_fit(lags, sizes, count).slope;
}

/* Sets the class if |H - H(0)| grew exponentially, by 100 or more over the run; else false. */
static bool grows_exponentially(struct shk_drift *drift, const struct shk_energy_windows *windows)
{
  double size[BLOCKS], early[BLOCKS], logarithm[BLOCKS];
  const int quarter = windows->count / 4;
  for (int i = 0; i < windows->count; i++) {
    size[i] = fmax(fabs(windows->low[i]), fabs(windows->high[i]));
    logarithm[i] = log(size[i]);
  }
  memcpy(early, size, (size_t)quarter * sizeof *early);
  const double start = gsl_stats_median(early, 1, (size_t)quarter);
  /* The tail: the windows that have left the level of the first quarter. */
  int first = windows->count;
  while (first > 0 && size[first - 1] > 3 * start)
    first--;
  const int count = windows->count - first;
  if (!(size[windows->count - 1] >= 100 * start) || count < 6)
    return false;
  const struct shk_line line = shk_line_fit(windows->time + first, logarithm + first, count);
  if (line.slope <= 0 ||
      line.squares > 0.25 * shk_power_fit(windows->time + first, size + first, count).squares)
    return false;
  drift->slope = line.slope;
  drift->slope_half_width = NAN;
  shk_conclude(drift, SHK_ENERGY_EXPONENTIAL, "grows like exp(%.3g t)", drift->slope);
  return true;
}

/* Returns the median over the windows of their range less the change from window to window. */
static double median_oscillation(const struct shk_energy_windows *windows)
{
  double range[BLOCKS];
  for (int i = 0; i < windows->count; i++) {
    const int before = i > 0 ? i - 1 : 0, after = i < windows->count - 1 ? i + 1 : i;
    const double move = fabs(windows->mean[after] - windows->mean[before]) / (after - before);
    range[i] = fmax(windows->high[i] - windows->low[i] - move, 0);
  }
  return gsl_stats_median(range, 1, (size_t)windows->count);
}

void shk_energy_windows(struct shk_energy_windows *windows, const struct shk_series *series)
{
  gather_drift(windows, series, SHK_ENERGY_WINDOWS);
  const int half = windows->count / 2;
  if (windows->count < LEAST_WINDOWS)
    return;
  windows->slope = fit_line(windows->time, windows->mean, windows->count);
  windows->early = fit_line(windows->time, windows->mean, half);
  windows->late = fit_line(windows->time + half, windows->mean + half, windows->count - half);
  windows->oscillation = median_oscillation(windows);
}

bool shk_is_linear(double slope, double early, double late)
{
  return early / slope > 1.0 / 3 && early / slope < 3 && late / slope > 1.0 / 3 && late / slope < 3;
}

bool shk_follows_line(const double *time, const double *mean, int count, double slope,
                      double oscillation)
{
  const double middle = gsl_stats_mean(time, 1, (size_t)count);
  const double level = gsl_stats_mean(mean, 1, (size_t)count);
  double farthest = 0;
  for (int i = 0; i < count; i++)
    farthest = fmax(farthest, fabs(mean[i] - level - slope * (time[i] - middle)));
  return farthest <= fmax(0.5 * oscillation, 0.1 * fabs(slope) * (time[count - 1] - time[0]));
}

/* Returns the least distance of the means of the second half from H(0). */
static double departure_from_start(const struct shk_energy_windows *windows)
{
  double least = INFINITY;
  for (int i = windows->count / 2; i < windows->count; i++)
    least = fmin(least, fabs(windows->mean[i]));
  return least;
}

/* Returns the range of the means from this window on. */
static double range_of_means(const struct shk_energy_windows *windows, int from)
{
  double low, high;
  gsl_stats_minmax(&low, &high, windows->mean + from, 1, (size_t)(windows->count - from));
  return high - low;
}

/* Returns the level about which the energy stays from its first steps on, 0 if that is H(0). A
 * state of SHAKE is off the hidden constraint, and its energy differs permanently by O(h²) from
 * that of a start on it. Energies that move later have left H(0). */
static double first_level(const struct shk_energy_windows *windows,
                          const struct shk_energy_run *run)
{
  const double first = run->series->mean[0], late = windows->mean[windows->count - 1];
  const bool there = fabs(late - first) < 0.05 * fabs(late) && fabs(late) < 0.1 * run->scale;
  return there && departure_from_start(windows) > 5 * windows->oscillation ? first : 0;
}

/* Subtracts the level from the windows; returns the largest remaining size. */
static double level_out(struct shk_energy_windows *windows, double level)
{
  double largest = 0;
  for (int i = 0; i < windows->count; i++) {
    windows->mean[i] -= level;
    windows->low[i] -= level;
    windows->high[i] -= level;
    largest = fmax(largest, fmax(fabs(windows->low[i]), fabs(windows->high[i])));
  }
  return largest;
}

/* Sets the class if the energy has left its first level permanently, or walks at random; else
 * returns false. In the second half of the run the means are close together if the energy went to
 * another level, and spread if it walks. */
static bool leaves_level(struct shk_drift *drift, const struct shk_energy_windows *windows,
                         double scale)
{
  const double away = departure_from_start(windows), oscillation = drift->oscillation;
  const bool left = away > 5 * oscillation;
  const double late = range_of_means(windows, windows->count / 2);
  /* Of a line `late` is `away`, of a square root 0.4 of it. A tenth of the energy is no error of a
   * step that is small enough. */
  drift->settled = left && late < 0.3 * away && away < 0.1 * scale ? away : NAN;
  if (!(left && late < 0.05 * away) && drift->exponent >= 0.35 && drift->exponent <= 0.65 &&
      range_of_means(windows, 0) > oscillation)
    shk_conclude(drift, SHK_ENERGY_RANDOM_WALK, "increments grow like lag^%.2f", drift->exponent);
  else if (left)
    shk_conclude(drift, SHK_ENERGY_DRIFT, "left H(0) by %.3g and does not return", away);
  else
    return false;
  return true;
}

/* Sets the class if the energy falls for good, and ever more slowly; else returns false. */
static bool dissipates(struct shk_drift *drift, const struct shk_energy_windows *windows, double T)
{
  const double *const mean = windows->mean;
  const int last = windows->count - 1, half = windows->count / 2;
  const double loss = -mean[last], slope = windows->slope.slope;
  double least = 0, rise = 0;
  for (int i = 0; i <= last; i++) {
    rise = fmax(rise, mean[i] - least);
    least = fmin(least, mean[i]);
  }
  const bool slows_down = mean[half] - mean[last] < -mean[half] / 3;
  const bool linear = shk_is_linear(slope, windows->early.slope, windows->late.slope) &&
                      fabs(slope) * T > 0.05 * loss;
  if (!(loss > 5 * drift->oscillation && rise <= 0.05 * loss && slows_down) || linear)
    return false;
  shk_conclude(drift, SHK_ENERGY_DISSIPATES,
               "falls by %.3g, with a fraction of %.2g of this in the first half of the run", loss,
               -mean[half]);
  return true;
}

static void classify_trend(struct shk_drift *drift, const struct shk_energy_windows *windows,
                           double T)
{
  const struct shk_line lines[] = {windows->slope,
                                   fit_line(windows->time, windows->low, windows->count),
                                   fit_line(windows->time, windows->high, windows->count)};
  const double oscillation = drift->oscillation, wander = range_of_means(windows, 0),
               mean = lines[0].slope, low = lines[1].slope, high = lines[2].slope;
  int moving = 0; /* slopes that exceed their errors and two percent of the oscillation */
  for (int i = 0; i < 3; i++)
    moving += fabs(lines[i].slope) * T > fmax(3 * lines[i].error * T, 0.02 * oscillation);
  if (moving == 3 && shk_is_linear(mean, windows->early.slope, windows->late.slope) &&
      shk_is_linear(mean, low, high))
    shk_conclude(drift, SHK_ENERGY_DRIFT, "slope %.3g ± %.1g", mean, drift->slope_half_width);
  else if (moving > 0)
    shk_undetermined(
        drift,
        "changes, but not linearly: slope·T over the oscillation, means %.2g, minima %.2g, "
        "maxima %.2g, halves %.2g and %.2g",
        mean * T / oscillation, low * T / oscillation, high * T / oscillation,
        windows->early.slope * T / oscillation, windows->late.slope * T / oscillation);
  else if (3 * lines[0].error * T <= 0.25 * oscillation &&
           (wander <= 0.25 * oscillation || drift->exponent < 0.3))
    shk_conclude(drift, SHK_ENERGY_BOUNDED, "slope·T is %.2g of the oscillation",
                 fabs(mean) * T / oscillation);
  else
    shk_undetermined(drift,
                     "the slope is not significant, but the means vary by %.2g of the oscillation",
                     wander / oscillation);
}

static void classify_windows(struct shk_drift *drift, const struct shk_energy_run *run)
{
  const double T = run->series->time[run->series->count - 1];
  struct shk_energy_windows windows;
  shk_energy_windows(&windows, run->series);
  drift->slope = windows.slope.slope;
  drift->slope_half_width = 2 * windows.slope.error;
  drift->oscillation = windows.oscillation;
  drift->exponent = increment_exponent(run->series);
  drift->straight =
      shk_follows_line(windows.time, windows.mean, windows.count, drift->slope, drift->oscillation);
  const double level = first_level(&windows, run), left = level_out(&windows, level);
  drift->near_roundoff = (level != 0 ? left : drift->largest) <= 1000 * drift->floor;
  if (level != 0 && left <= 10 * drift->floor)
    shk_conclude(drift, SHK_ENERGY_BOUNDED,
                 "stays at the level of its first steps, %.3g from H(0), to round-off", level);
  else if (!grows_exponentially(drift, &windows)) {
    const bool left_level = leaves_level(drift, &windows, run->scale);
    if (!dissipates(drift, &windows, T) && !left_level)
      classify_trend(drift, &windows, T);
  }
}

void shk_energy_level(struct shk_drift *drift, const struct shk_series *series)
{
  const double length = series->time[series->count - 1];
  drift->straight = true;
  drift->slope = drift->oscillation = 0;
  drift->slope_half_width = 3 * fmax(drift->largest, drift->floor) / length;
}

void shk_energy_classify(struct shk_drift *drift, const struct shk_energy_run *run)
{
  const struct shk_series *series = run->series;
  double sum = 0; /* finite if all values are */
  *drift = shk_no_drift;
  drift->largest = 0;
  drift->floor = run->epsilon * run->scale * (3 + sqrt(run->steps));
  for (int i = 0; i < series->count; i++) {
    sum += series->minimum[i] + series->mean[i] + series->maximum[i];
    drift->largest = fmax(drift->largest, fmax(fabs(series->minimum[i]), fabs(series->maximum[i])));
  }
  const bool finite = isfinite(sum) && !run->not_finite;
  if (!finite || drift->largest > (run->finished ? 1000 : 10) * run->scale) {
    shk_conclude(drift, SHK_ENERGY_BLOW_UP, "reached %.2g times the problem's energy%s",
                 drift->largest / run->scale, finite ? "" : " and then a value that is not finite");
  } else if (!run->finished) {
    shk_undetermined(drift, "the run ended early");
  } else if (series->count < LEAST_WINDOWS) {
    shk_undetermined(drift, "%d intervals, %d needed", series->count, LEAST_WINDOWS);
  } else if (drift->largest <= 10 * drift->floor) {
    shk_energy_level(drift, series);
    shk_conclude(drift, SHK_ENERGY_EXACT, "|H - H(0)| stays below %.2g", 10 * drift->floor);
  } else {
    classify_windows(drift, run);
  }
}

/* True if the runs are too few or too short to decide; stores the reason. */
static bool too_little(struct shk_drift *drift, int count, double time_scales)
{
  const char *const finest = shk_energy_words[drift->class];
  drift->too_short = time_scales < SHK_ENERGY_TIME_SCALES;
  if (isnan(time_scales))
    shk_undetermined(drift, "the problem's time scale is unknown (so far %s)", finest);
  else if (time_scales < 0.1 * SHK_ENERGY_TIME_SCALES)
    /* Over a few periods an oscillation can look like any class. */
    shk_undetermined(drift, "run too short: %.4g time scales, but %.0f are needed", time_scales,
                     SHK_ENERGY_TIME_SCALES);
  else if (drift->too_short)
    shk_undetermined(drift, "run too short: %.4g time scales, but %.0f are needed (so far %s)",
                     time_scales, SHK_ENERGY_TIME_SCALES, finest);
  else if (count < 3)
    shk_undetermined(drift, "%d step%s, but 3 are needed (so far %s)", count, count == 1 ? "" : "s",
                     finest);
  else
    return false;
  return true;
}

/* True if the energies of the runs that drift or dissipate, the finest run first, settle at other
 * levels, nearer to H(0) at smaller steps. A symplectic method shows this, too, where the motion
 * leaves the start for good, as molecules do that fly apart: H differs from what the method
 * conserves by c h^p, and c was larger at the start. Dissipation to rest ends at the same level
 * for all steps. */
static bool settles_nearer(const struct shk_drift *const runs[], int count)
{
  double finest = NAN, coarsest = NAN;
  for (int i = 0; i < count; i++)
    if (runs[i]->class == SHK_ENERGY_DRIFT || runs[i]->class == SHK_ENERGY_DISSIPATES) {
      if (isnan(runs[i]->settled))
        return false;
      finest = isnan(finest) ? runs[i]->settled : finest;
      coarsest = runs[i]->settled;
    }
  return coarsest > 1.2 * finest;
}

/* The three finest runs that are not at round-off decide: the result is the first of the growing
 * classes that two or more of them have; a run that dissipates counts as one that drifts, too, as
 * smaller steps lose energy more slowly and do not slow down yet. One coarse step decides
 * nothing, even if the finer ones are at round-off. */
void shk_energy_combine(struct shk_drift *drift, const struct shk_drift *runs, int count,
                        double time_scales)
{
  const struct shk_drift *used[3] = {NULL};
  int used_count = 0, tally[SHK_ENERGY_CLASSES] = {0};
  for (int i = count - 1; i >= 0; i--) {
    if (runs[i].class == SHK_ENERGY_EXACT || used_count == 3)
      continue;
    used[used_count++] = &runs[i];
    tally[runs[i].class]++;
  }
  *drift = used_count > 0 ? *used[0] : count > 0 ? runs[count - 1] : shk_no_drift;
  if (count == 0)
    shk_undetermined(drift, "no run reached its end");
  if (count == 0 || too_little(drift, count, time_scales) || used_count == 0)
    return;
  if (tally[SHK_ENERGY_DISSIPATES] == 1 && tally[SHK_ENERGY_DRIFT] > 0)
    tally[SHK_ENERGY_DRIFT]++;
  for (int among = SHK_ENERGY_RANDOM_WALK; among < SHK_ENERGY_CLASSES; among++)
    for (int i = 0; tally[among] >= 2 && i < used_count; i++)
      if ((int)used[i]->class == among) {
        *drift = *used[i];
        if ((among == SHK_ENERGY_DRIFT || among == SHK_ENERGY_DISSIPATES) &&
            settles_nearer(used, used_count))
          shk_undetermined(
              drift,
              "settles at %.3g from H(0), and closer to it with smaller steps: the motion may "
              "never return to its start, for example when molecules fly apart",
              drift->settled);
        return;
      }
  /* A single run gives its own reason if no other run decides. */
  if (tally[SHK_ENERGY_BOUNDED] == used_count || tally[SHK_ENERGY_UNDETERMINED] == used_count)
    return;
  const char *steps[3];
  for (int i = 0; i < 3; i++)
    steps[i] = shk_energy_words[used[i] ? used[i]->class : SHK_ENERGY_EXACT];
  shk_undetermined(drift, "steps disagree: %s, %s, %s", steps[0], steps[1], steps[2]);
}
