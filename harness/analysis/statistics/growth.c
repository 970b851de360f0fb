/*
 * Determines the exponent with which round-off in the energy grows.
 *
 * Round-off is hidden by an oscillation of size h², and averaging over windows does not reveal it.
 * It becomes visible if the same map is run in two precisions and the two runs are subtracted. For
 * the initial state s, let D_s(t) be the difference (double - quad) of the interval means of H -
 * H(0). The exponent is fitted to the RMS increment over a lag L,
 *
 *     S(L)² = mean over s and t of (D_s(t + L) - D_s(t))²,    S ~ L^exponent,
 *
 * where D is averaged over a Hann window of width L/2 at both times. Increments are used instead of
 * D itself because rounding of H(0) causes an offset that averaging does not remove. Averaging is
 * necessary because the phase of the double run lags behind, so the h² oscillation cancels only
 * partially in D. A Hann window over n periods reduces the remaining oscillation to 1/(π n (n² -
 * 1)) of its size. Because the width is proportional to the lag, S remains a power of L. Increments
 * of random sign lead to an exponent of 1/2 (Brouwer's law), and biased ones to an exponent of 1.
 */
#include "harness/analysis/statistics/growth.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/drift.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/*
 * The lags increase by factors of sqrt 2 from 50 time scales to a quarter of the run. At the
 * shortest lag, each window contains four periods (of 2π time scales) of the typical oscillation.
 * At least 7 lags are needed, and these span a factor of 8. In the double run, H is evaluated with
 * an error of about eps·scale, part of which remains in the averages. A lag is not used if, at that
 * lag or at a longer one, S is at most 3 times this remainder.
 *
 * The uncertainty is found with a jackknife over the initial states and Student's t. Runs from
 * different initial states are independent, whereas values along a single run are not.
 */
enum { MOST_LAGS = 40, LEAST_LAGS = 7, LEAST_LAG = 8 };

static const double least_time_scales = 50;

/* The mean square increments, in a matrix with one row per initial state and one column per lag. */
struct squares {
  int starts, lags;
  double (*values)[MOST_LAGS];
  double lag[MOST_LAGS];
};

/* Returns the slope of log S as a function of the logarithm of the lag. The initial state with
 * index `left_out` is excluded; if `left_out` is -1, all of them are used. */
static double growth_exponent(const struct squares *squares, int left_out)
{
  double y[MOST_LAGS];
  for (int l = 0; l < squares->lags; l++) {
    double sum = 0;
    for (int s = 0; s < squares->starts; s++)
      sum += s == left_out ? 0 : squares->values[s][l];
    y[l] = sqrt(sum); /* a sum is enough, because every lag has the same number of terms */
  }
  return shk_power_fit(squares->lag, y, squares->lags).slope;
}

/* Returns the mean square increment of the averaged difference. `weights` is work space for lag/2
 * numbers, and `smooth` is work space for one number per interval. */
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

/* Computes the mean square increments for all lags at which they exceed the noise. */
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
      /* This is the noise in two averages. A Hann window averages as well as a rectangular window
       * of 2/3 its width. */
      noise += 2 * epsilon * epsilon * intervals / pairs[s].steps * 1.5 / (lag / 2);
    }
    if (isfinite(sum) && sum > 9 * noise)
      squares->lag[squares->lags++] = lag;
    else
      squares->lags = 0; /* if one lag is at noise level, so are all shorter lags */
  }
  free(room);
}

/* Returns true if two series have the same intervals. Times are compared to the digits that the
 * precision provides. There are seven in single precision, where intervals are a thousandth of the
 * run apart. */
static bool are_comparable(const struct shk_series *a, const struct shk_series *b)
{
  if (a->count != b->count)
    return false;
  for (int i = 0; i < a->count; i++)
    if (!(fabs(a->time[i] - b->time[i]) <= 1e-6 * fabs(b->time[i])))
      return false;
  return true;
}

/* Determines the class, the exponent, and its jackknife half-width. */
static void conclude_growth(struct shk_growth *growth, const struct squares *squares)
{
  const size_t count = (size_t)squares->starts;
  const double freedom = (double)count - 1;
  /* the exponents obtained by leaving out one initial state at a time */
  double *const without = shk_allocate(count, sizeof *without);
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
