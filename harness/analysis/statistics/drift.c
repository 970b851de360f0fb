/*
 * Classifies the energy of a run from its interval series (min, mean, max) of H - H(0).
 *
 * The run is divided into 32 windows, or at least 16 if it has fewer intervals. The secular slope
 * is that of a straight line through the window means. Lines through the window maxima and minima
 * have the same slope and, unlike the means, cannot alias with an oscillation. Standard errors are
 * computed from the least-squares fit. If the residuals have a positive lag-1 autocorrelation r,
 * the errors are enlarged by sqrt((1+r)/(1-r)), because otherwise a slow beat or a random walk
 * would look like a drift.
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
 * The class of a run is the first of the following whose criterion is met:
 * - blow-up: a value is not finite or exceeds 1000 times the problem's energy, or a run ended early
 *   after exceeding 10 times the problem's energy. All other runs that ended early or have fewer
 *   than 16 intervals are undetermined.
 * - exact: |H - H(0)| stays within 10 eps·scale·(3 + sqrt(steps)). If the energy moves to another
 *   level during the first steps and then stays equally close to that level, the class is bounded.
 * - exponential: |H - H(0)| grows by a factor of at least 100 over the run, and its logarithm is
 *   closer to a straight line in t than in log t.
 * - dissipates: the means drop below H(0) by more than 5 times the oscillation, none of them rises
 *   above an earlier one by more than a twentieth of the loss, less energy is lost in the second
 *   half of the run than a third of the loss in the first half, and the slope is not linear (see
 *   drift). If the energy decreases at a constant rate, the class is drift.
 * - random walk: the RMS increment of the means over a lag grows like lag^(0.35…0.65), and the
 *   range of the means exceeds the oscillation. An energy that settled at another level is
 *   excluded.
 * - drift: all means in the second half are more than 5 times the oscillation away from the first
 *   level. Alternatively, |slope|·T > max(3 standard errors, 2 % of the oscillation) for the means
 *   and for both extremes, and all three slopes and the slopes of both halves have the same sign
 *   and a similar size. If only some of the slopes exceed this bound, the class is undetermined.
 * - bounded: 3 standard errors are enough to resolve a drift of a quarter of the oscillation, and
 *   either the means stay within a quarter of it or their increments do not grow (exponent below
 *   0.3).
 * - undetermined: none of the above.
 *
 * The increments of the block means of a random walk over a lag of k blocks satisfy
 * E(x_{i+k}-x_i)² = s²(k - 1/3). The lags therefore start at 2 blocks, where the bias of the
 * exponent is below 0.1.
 */

enum shk_energy_class shk_energy_class_named(const char *word)
{
  int found = 0;
  while (found < SHK_ENERGY_CLASSES && strcmp(shk_energy_words[found], word) != 0)
    found++;
  return (enum shk_energy_class)found;
}

/* Merges the intervals into at most `count` windows whose sizes differ by at most one. */
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

/* Fits a line and enlarges its standard error to account for the autocorrelation of the
 * residuals. */
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

/* Returns the power of the lag with which the RMS increment of the block means grows, or NaN if
 * there are too few blocks. */
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

/* Sets the class and returns true if |H - H(0)| grew exponentially by a factor of at least 100 over
 * the run. */
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
  /* The tail consists of the last windows, in which the energy has left the level of the first
   * quarter. */
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

/* Returns the median, over all windows, of the range of H within a window minus the change of the
 * mean from one window to the next. */
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

/* Returns the smallest distance between H(0) and a window mean in the second half of the run. */
static double departure_from_start(const struct shk_energy_windows *windows)
{
  double least = INFINITY;
  for (int i = windows->count / 2; i < windows->count; i++)
    least = fmin(least, fabs(windows->mean[i]));
  return least;
}

/* Returns the range of the window means, starting from window `from`. */
static double range_of_means(const struct shk_energy_windows *windows, int from)
{
  double low, high;
  gsl_stats_minmax(&low, &high, windows->mean + from, 1, (size_t)(windows->count - from));
  return high - low;
}

/* Returns the level around which the energy stays after its first steps, relative to H(0), or 0 if
 * it stays at H(0). For example, the states of SHAKE are not on the hidden constraint, so their
 * energy differs permanently by O(h²) from that of an initial state on the constraint. If the
 * energy moves away only later in the run, it does not have such a level. */
static double first_level(const struct shk_energy_windows *windows,
                          const struct shk_energy_run *run)
{
  const double first = run->series->mean[0], late = windows->mean[windows->count - 1];
  const bool there = fabs(late - first) < 0.05 * fabs(late) && fabs(late) < 0.1 * run->scale;
  return there && departure_from_start(windows) > 5 * windows->oscillation ? first : 0;
}

/* Subtracts the level from all windows and returns the largest absolute value that remains. */
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

/* Sets the class and returns true if the energy has left its first level permanently or performs a
 * random walk. The means in the second half of the run distinguish the two cases. They are close
 * together if the energy moved to another level, and spread out if it performs a random walk. */
static bool leaves_level(struct shk_drift *drift, const struct shk_energy_windows *windows,
                         double scale)
{
  const double away = departure_from_start(windows), oscillation = drift->oscillation;
  const bool left = away > 5 * oscillation;
  const double late = range_of_means(windows, windows->count / 2);
  /* If the energy changes linearly, `late` equals `away`. If it changes like the square root of the
   * time, `late` is 0.4 times as large. A departure of a tenth of the problem's energy is too large
   * for an error that a sufficiently small step would make. */
  drift->settled = left && late < 0.3 * away && away < 0.1 * scale ? away : NAN;
  if (!(left && late < 0.05 * away) && drift->exponent >= 0.35 && drift->exponent <= 0.65 &&
      range_of_means(windows, 0) > oscillation)
    shk_conclude(drift, SHK_ENERGY_RANDOM_WALK, "increments grow like lag^%.2f", drift->exponent);
  else if (left)
    shk_conclude(drift, SHK_ENERGY_DRIFT, "deviated from H(0) by %.3g and does not return", away);
  else
    return false;
  return true;
}

/* Sets the class and returns true if the energy keeps decreasing, but at a decreasing rate. */
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
               "decreases by %.3g, of which a fraction of %.2g is in the first half of the run",
               loss, -mean[half]);
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
  /* number of slopes that exceed both 3 standard errors and 2 % of the oscillation */
  int moving = 0;
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
                 "stays at the level of its first steps, %.3g from H(0), to within round-off",
                 level);
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
  double sum = 0; /* this sum is finite if and only if all values are finite */
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

/* Returns true and stores the reason if there are too few runs to decide, or if they are too
 * short. */
static bool too_little(struct shk_drift *drift, int count, double time_scales)
{
  const char *const finest = shk_energy_words[drift->class];
  drift->too_short = time_scales < SHK_ENERGY_TIME_SCALES;
  if (isnan(time_scales))
    shk_undetermined(drift, "the problem's time scale is unknown (so far %s)", finest);
  else if (time_scales < 0.1 * SHK_ENERGY_TIME_SCALES)
    /* Over only a few periods, an oscillation can resemble any class. */
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

/* Returns true if the runs that drift or dissipate settle at energy levels that are closer to H(0)
 * for smaller steps. The run with the smallest step must come first. Even a symplectic method
 * behaves this way if the motion never returns to the initial state, for example when molecules fly
 * apart. The reason is that H differs from the conserved quantity by c h^p, and c was larger at the
 * start of the motion. In contrast, a system that dissipates until it is at rest ends at the same
 * level for all steps. */
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

/* Only the three finest runs that are not at round-off are used. The result is the first growing
 * class that at least two of them share. If only one of them dissipates, it also counts as
 * drifting, because a run with a smaller step loses energy more slowly and may not have slowed down
 * yet. A single coarse run decides nothing, even if the finer ones are at round-off. */
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
  /* If all runs are bounded or all are undetermined, keep the reason given by the finest one. */
  if (tally[SHK_ENERGY_BOUNDED] == used_count || tally[SHK_ENERGY_UNDETERMINED] == used_count)
    return;
  const char *steps[3];
  for (int i = 0; i < 3; i++)
    steps[i] = shk_energy_words[used[i] ? used[i]->class : SHK_ENERGY_EXACT];
  shk_undetermined(drift, "steps disagree: %s, %s, %s", steps[0], steps[1], steps[2]);
}
