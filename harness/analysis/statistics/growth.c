/*
 * The exponent of round-off growth in the energy.
 *
 * Under an oscillation of size h² no windowed mean shows round-off; the difference of two runs of
 * the same map in two precisions does. Let D_s(t) be the difference (double - quad) of the interval
 * means of H - H(0) for the start s. The exponent is fitted to the RMS increment over a lag L,
 *
 *     S(L)² = mean over starts and times of (D_s(t + L) - D_s(t))²,    S ~ L^exponent,
 *
 * with D averaged by a Hann window of width L/2 at both ends. Increments are used instead of D,
 * since the rounding of H(0) is an offset that averaging does not remove. Averages are needed,
 * since the double run falls behind in phase and the h² oscillation then cancels only in part: a
 * Hann window over n periods leaves 1/(π n (n² - 1)) of it. A width in proportion to the lag keeps
 * S a power of L. Increments of random sign give 1/2 (Brouwer's law), a bias gives 1.
 */
#include "harness/analysis/statistics/growth.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/drift.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/*
 * Lags go from 50 time scales (windows of four periods of the typical oscillation, 2π time scales)
 * to a quarter of the run, by factors of sqrt 2; 7 are needed, a factor of 8. H is evaluated with
 * an error of about eps·scale in the double run; lags up to the last with S at most 3 times the
 * remainder of that error in the averages are not used.
 *
 * Uncertainty: different starts are independent, unlike values along one run; hence the jackknife
 * over the starts, with Student's t.
 */
enum { MOST_LAGS = 40, LEAST_LAGS = 7, LEAST_LAG = 8 };

static const double least_time_scales = 50;

/* Mean square increments, one row per start. */
struct squares {
  int starts, lags;
  double (*values)[MOST_LAGS];
  double lag[MOST_LAGS];
};

/* Returns the slope of log S on log lag over all starts except `left_out` (-1: all). */
static double growth_exponent(const struct squares *squares, int left_out)
{
  double y[MOST_LAGS];
  for (int l = 0; l < squares->lags; l++) {
    double sum = 0;
    for (int s = 0; s < squares->starts; s++)
      sum += s == left_out ? 0 : squares->values[s][l];
    y[l] = sqrt(sum); /* the number of starts is the same at each lag */
  }
  return shk_power_fit(squares->lag, y, squares->lags).slope;
}

/* Returns the mean square increment of the averaged difference. Work space: `weights` (lag/2),
 * `smooth` (number of intervals). */
static double mean_square(const struct shk_growth_pair *pair, int lag, double *weights,
                          double *smooth)
{
  const double *a = pair->low->mean, *b = pair->high->mean;
  const int width = lag / 2, count = pair->low->count - width + 1;
  double total = 0, sum = 0;
  for (int k = 0; k < width; k++) {
    weights[k] = pow(sin(M_PI * (k + 0.5) / width), 2);
    total += weights[k];
  }
  for (int i = 0; i < count; i++) {
    smooth[i] = 0;
    for (int k = 0; k < width; k++)
      smooth[i] += weights[k] * (a[i + k] - b[i + k]);
    smooth[i] /= total * pair->scale;
  }
  for (int i = 0; i + lag < count; i++)
    sum += (smooth[i + lag] - smooth[i]) * (smooth[i + lag] - smooth[i]);
  return sum / (count - lag);
}

/* Fills the lags that are above the noise. */
static void analyse_growth(struct squares *squares, const struct shk_growth_pair *pairs,
                           double epsilon)
{
  const int intervals = pairs[0].low->count;
  const double interval = pairs[0].low->time[intervals - 1] / intervals;
  double *const room = shk_allocate(2 * (size_t)intervals, sizeof *room);
  double time_scale = 0;
  for (int s = 0; s < squares->starts; s++)
    time_scale = fmax(time_scale, pairs[s].time_scale);
  const double least = fmax(LEAST_LAG, ceil(least_time_scales * time_scale / interval));
  for (int j = 0; squares->lags < MOST_LAGS; j++) {
    const double exact = least * pow(2, 0.5 * j);
    if (!(exact <= intervals / 4.0))
      break;
    const int lag = (int)lround(exact);
    double sum = 0, noise = 0;
    for (int s = 0; s < squares->starts; s++) {
      squares->values[s][squares->lags] = mean_square(&pairs[s], lag, room, room + intervals);
      sum += squares->values[s][squares->lags];
      /* Noise of two averages; a Hann window averages like 2/3 of its width. */
      noise += 2 * epsilon * epsilon * intervals / pairs[s].steps * 1.5 / (lag / 2);
    }
    if (isfinite(sum) && sum > 9 * noise)
      squares->lag[squares->lags++] = lag;
    else
      squares->lags = 0; /* lags below one at noise level are noise too */
  }
  free(room);
}

/* True if two series have the same intervals. Times have the precision's digits: seven in single,
 * where intervals are a thousandth apart. */
static bool are_comparable(const struct shk_series *a, const struct shk_series *b)
{
  if (a->count != b->count)
    return false;
  for (int i = 0; i < a->count; i++)
    if (!(fabs(a->time[i] - b->time[i]) <= 1e-6 * fabs(b->time[i])))
      return false;
  return true;
}

/* Sets the exponent with its half-width by the jackknife, and the class. */
static void conclude_growth(struct shk_growth *growth, const struct squares *squares)
{
  const size_t count = (size_t)squares->starts;
  const double freedom = (double)count - 1;
  double *const without = shk_allocate(count, sizeof *without); /* exponents without a start */
  for (int s = 0; s < squares->starts; s++)
    without[s] = growth_exponent(squares, s);
  growth->exponent = growth_exponent(squares, -1);
  growth->half_width = gsl_cdf_tdist_Pinv(0.975, freedom) *
                       sqrt(gsl_stats_tss(without, 1, count) * freedom / (double)count);
  free(without);
  if (fabs(growth->exponent - 0.5) <= 0.15 && growth->exponent + growth->half_width < 1)
    growth->word = shk_energy_words[SHK_ENERGY_RANDOM_WALK];
  else if (fabs(growth->exponent - 1) <= 0.15 && growth->exponent - growth->half_width > 0.5)
    growth->word = shk_energy_words[SHK_ENERGY_LINEAR];
  else
    snprintf(growth->why, sizeof growth->why, "the exponent agrees with neither 1/2 nor 1");
}

struct shk_growth shk_growth_fit(const struct shk_growth_pair *pairs, int count, double epsilon)
{
  struct shk_growth growth = {.word = shk_energy_words[SHK_ENERGY_UNDETERMINED]};
  growth.exponent = growth.half_width = NAN;
  bool same = true;
  for (int s = 0; s < count; s++)
    same = same && are_comparable(pairs[s].low, pairs[0].low) &&
           are_comparable(pairs[s].high, pairs[0].low);
  if (count < SHK_GROWTH_STARTS) {
    snprintf(growth.why, sizeof growth.why, "%d starts, %d needed", count, SHK_GROWTH_STARTS);
  } else if (!same) {
    snprintf(growth.why, sizeof growth.why, "the runs have different intervals");
  } else {
    struct squares squares = {.starts = count,
                              .values = shk_allocate((size_t)count, sizeof *squares.values)};
    analyse_growth(&squares, pairs, epsilon);
    if (squares.lags >= LEAST_LAGS)
      conclude_growth(&growth, &squares);
    else
      snprintf(growth.why, sizeof growth.why,
               "only %d lags of at least %g time scales exceed the noise of H; %d are needed",
               squares.lags, least_time_scales, LEAST_LAGS);
    free(squares.values);
  }
  return growth;
}
