/*
 * Energy classes of made-up series, each class and its near misses, and the growth of round-off
 * measured on a real map: a quartic oscillator under Störmer-Verlet in double and in quad.
 */
#include "harness/analysis/statistics/drift.h"
#include "foundation/memory.h"
#include "harness/analysis/statistics/growth.h"
#include "tests/kit/made_series.h"
#include "tests/kit/tap.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <shakedown/parts/real.h>

enum { INTERVALS = 2000, PER_INTERVAL = 10 };

static gsl_rng *rng;

/* What H - H(0) does at time t; `walk` is a random walk of unit steps an observation. */
typedef double energy_of(double t, double walk);

static double T = 2000; /* time scales of one */

static struct shk_series *series_of(struct shk_outcome *outcome, energy_of *energy, int intervals)
{
  struct shk_series *series = shk_outcome_add_series(outcome, "energy-error", intervals);
  double walk = 0;
  for (int i = 0; i < intervals; i++) {
    double values[PER_INTERVAL];
    for (int k = 0; k < PER_INTERVAL; k++) {
      const double t = T * (i + (k + 1.0) / PER_INTERVAL) / intervals;
      walk += gsl_ran_gaussian(rng, 1);
      values[k] = energy(t, walk);
    }
    fill_interval(series, i, T * (i + 1) / intervals, values, PER_INTERVAL);
  }
  return series;
}

static struct shk_drift classify(energy_of *energy, int intervals, bool finished)
{
  OUTCOME outcome = {0};
  struct shk_drift drift;
  shk_energy_classify(&drift,
                      &(struct shk_energy_run){.series = series_of(&outcome, energy, intervals),
                                               .epsilon = 0x1p-52,
                                               .scale = 1,
                                               .steps = (double)intervals * PER_INTERVAL,
                                               .finished = finished});
  return drift;
}

/* One-sided oscillation of incommensurate periods, as H - H(0) of a symplectic method has. */
static double oscillation(double t)
{
  return 1e-4 * (0.6 * (1 - cos(1.7 * t)) + 0.4 * (1 - cos(2.61803 * t)));
}

static double bounded(double t, double walk)
{
  return oscillation(t);
}

static double bounded_slow_beat(double t, double walk)
{
  return 1e-4 * (1 - cos(t)) * (1 + 0.3 * cos(0.013 * t));
}

/* A swing whose period is not much shorter than the run. */
static double slow_swing(double t, double walk)
{
  return oscillation(t) + 5e-5 * sin(0.0033 * t);
}

static double tiny_drift(double t, double walk)
{
  return oscillation(t) + 1e-4 * 0.2 * t / 2000;
}

static double invisible_drift(double t, double walk)
{
  return oscillation(t) + 1e-4 * 0.005 * t / 2000;
}

static double pure_drift(double t, double walk)
{
  return -1e-7 * t;
}

static double runs_down(double t, double walk)
{
  return oscillation(t) - 0.8 * (1 - exp(-t / 300));
}

/* The rate of loss is proportional to the square of what is left. */
static double runs_down_slowly(double t, double walk)
{
  return oscillation(t) - 0.8 * t / (t + 100);
}

/* To a level in the middle of the oscillation: the loss is not beyond it. */
static double relaxes(double t, double walk)
{
  return oscillation(t) - 4e-4 * (1 - exp(-t / 300));
}

static double gains(double t, double walk)
{
  return oscillation(t) + 0.8 * (1 - exp(-t / 300));
}

static double runs_down_and_recovers(double t, double walk)
{
  return runs_down(t, walk) + 0.1 * exp(-pow((t - 1200) / 200, 2));
}

static double falls_faster(double t, double walk)
{
  return oscillation(t) - 0.8 * pow(t / 2000, 3);
}

/* Half of what a drift loses, in the first step. */
static double drops_and_drifts(double t, double walk)
{
  return -5e-3 - 2.5e-6 * t;
}

/* The same in a few time scales: nearly all windows see only what is left. */
static double ran_down_at_once(double t, double walk)
{
  return 1e-6 * oscillation(t) - 0.8 * (1 - exp(-t / 10));
}

/* Beside the level of the start from the first step on, as the state is that SHAKE carries. */
static double beside(double t, double walk)
{
  return 5e-3 + oscillation(t);
}

/* At another level when the motion has left its start, at a distance of `apart`. */
static double apart, parting_time;
static double flies_apart(double t, double walk)
{
  return 1e-3 * oscillation(t) - apart * (1 - 0.3 * exp(-t / parting_time));
}

/* Half of the energy lost in the first step is no level beside it. */
static double collapses(double t, double walk)
{
  return 1e-6 * oscillation(t) - 0.5 * (t > 0.01);
}

/* As beside, where the energy is kept to round-off. */
static double beside_exactly(double t, double walk)
{
  return 4e-7 + 1e-16 * sin(1.7 * t);
}

static double beside_drift(double t, double walk)
{
  return 5e-3 - 1e-7 * t;
}

static double random_walk(double t, double walk)
{
  return 1e-9 * walk;
}

static double exponential(double t, double walk)
{
  return oscillation(t) + 1e-8 * exp(0.0085 * t);
}

static double cubic(double t, double walk)
{
  return 1e-10 * t * t * t / 4e3;
}

static double blow_up(double t, double walk)
{
  return 1e-3 * exp(0.01 * t);
}

static double no_number(double t, double walk)
{
  return t < 1500 ? 1e-4 : NAN;
}

static double exact(double t, double walk)
{
  return 2e-16 * sin(17 * t) + 1e-17 * walk;
}

static double left_early(double t, double walk)
{
  return 0.05 * t;
}

#define IS_CLASS(drift, want, ...) tap_is_text(shk_energy_words[(drift).class], want, __VA_ARGS__)

static void test_classes(void)
{
  static const struct {
    energy_of *energy;
    const char *class, *name;
    int intervals;
    bool ends_early;
  } cases[] = {
      {bounded, "bounded", "a bounded oscillation"},
      {bounded, "bounded", "in sixteen intervals", 16},
      {bounded, "undetermined", "fifteen are too few", 15},
      {slow_swing, "undetermined", "a slow swing is no drift, nor is it bounded"},
      {tiny_drift, "drift", "a drift of a tenth of the oscillation"},
      {pure_drift, "drift", "a drift without oscillation"},
      {runs_down, "dissipates", "running down to rest"},
      {runs_down_slowly, "dissipates", "not yet at rest at the end"},
      {ran_down_at_once, "dissipates", "at rest after a hundredth of the run"},
      {relaxes, "undetermined", "a loss of three times the oscillation"},
      {gains, "drift", "the same loss as a gain"},
      {runs_down_and_recovers, "drift", "a loss of which an eighth comes back"},
      {falls_faster, "drift", "a loss that becomes faster"},
      {drops_and_drifts, "drift", "a drift after a loss at once"},
      {beside, "bounded", "beside the start's level from the first step on"},
      {beside_exactly, "bounded", "exactly beside it"},
      {collapses, "dissipates", "half of it lost at once"},
      {beside_drift, "drift", "a drift beside it"},
      {exponential, "exponential", "exponential growth"},
      {blow_up, "blow-up", "blow-up"},
      {no_number, "blow-up", "not a number"},
      {left_early, "blow-up", "an end at large energy", .ends_early = true},
      {bounded, "undetermined", "an early end", .ends_early = true},
      {exact, "exact", "round-off"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const int intervals = cases[i].intervals ? cases[i].intervals : INTERVALS;
    const struct shk_drift d = classify(cases[i].energy, intervals, !cases[i].ends_early);
    IS_CLASS(d, cases[i].class, "%s: %s", cases[i].name, d.why);
  }
}

static void test_near_misses(void)
{
  static const struct {
    energy_of *energy;
    enum shk_energy_class not ;
    const char *name;
  } cases[] = {{bounded_slow_beat, SHK_ENERGY_DRIFT, "a slow beat is no drift"},
               {invisible_drift, SHK_ENERGY_DRIFT, "a drift of a four-hundredth is not seen"},
               {cubic, SHK_ENERGY_EXPONENTIAL, "a cubic is not exponential"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct shk_drift d = classify(cases[i].energy, INTERVALS, true);
    tap_ok(d.class != cases[i].not, "%s (%s: %s)", cases[i].name, shk_energy_words[d.class], d.why);
  }
}

static void test_sizes(void)
{
  struct shk_drift d = classify(bounded, INTERVALS, true);
  tap_is_near(d.oscillation, 2e-4, 5e-5, "a bounded oscillation: its size");
  tap_is_near(d.largest, 2e-4, 2e-5, "its largest error");
  d = classify(slow_swing, INTERVALS, true);
  tap_ok(fabs(d.slope) < 1.5 * d.slope_half_width,
         "a slow swing: its slope %.2g is uncertain by %.2g", d.slope, d.slope_half_width);
  d = classify(tiny_drift, INTERVALS, true);
  tap_is_near(d.slope, 1e-8, 3e-9, "a drift: its slope");
  tap_ok(fabs(d.slope - 1e-8) < 1.5 * d.slope_half_width, "within its uncertainty %.1g",
         d.slope_half_width);
  d = classify(exponential, INTERVALS, true);
  tap_is_near(d.slope, 0.0085, 0.002, "exponential growth: its rate");
}

/* A figure draws the line of the slope where the energy follows it. */
static void test_lines(void)
{
  static const struct {
    energy_of *energy;
    bool straight;
    const char *name;
  } cases[] = {{bounded, true, "a bounded oscillation"},
               {exact, true, "round-off"},
               {tiny_drift, true, "a drift below the oscillation"},
               {pure_drift, true, "a drift alone"},
               {beside_drift, true, "a drift beside the first level"},
               {runs_down, false, "running down to rest"},
               {gains, false, "a gain that ends"},
               {cubic, false, "a cubic"},
               {falls_faster, false, "a loss that becomes faster"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct shk_drift d = classify(cases[i].energy, INTERVALS, true);
    tap_ok(d.straight == cases[i].straight, "%s follows %s line", cases[i].name,
           cases[i].straight ? "its" : "no");
  }
}

static void test_random_walks(void)
{
  int walks = 0, drifts = 0, bounds = 0, losses = 0;
  const int trials = 200;
  for (int i = 0; i < trials; i++) {
    const struct shk_drift d = classify(random_walk, INTERVALS, true);
    walks += d.class == SHK_ENERGY_RANDOM_WALK;
    drifts += d.class == SHK_ENERGY_DRIFT;
    bounds += d.class == SHK_ENERGY_BOUNDED;
    losses += d.class == SHK_ENERGY_DISSIPATES;
  }
  tap_diag("random walks: %d of %d found, %d taken for drift, %d for bounded, %d for "
           "dissipation",
           walks, trials, drifts, bounds, losses);
  tap_ok(walks >= trials * 6 / 10, "most random walks are recognized");
  tap_ok(drifts <= trials * 15 / 100, "few are taken for drift");
  tap_ok(bounds == 0, "none is bounded");
  tap_ok(losses <= trials / 100, "nor do they dissipate");
}

static void test_combination(void)
{
  /* b: bounded, d: drift, r: at round-off, x: blow-up, l: far from H(0), m: nearer, n: still
   * nearer, L, M, N: these as losses that slow down, O, P, Q: these a hundred times as large; the
   * coarsest step first. */
  static const struct {
    const char *runs, *class, *name;
    double scales;
  } cases[] = {
      {"bbb", "bounded", "three bounded steps", 2000},
      {"bb", "undetermined", "two are too few", 2000},
      {"bbb", "undetermined", "a run that is too short", 999},
      {"bbb", "undetermined", "an unknown time scale", NAN},
      {"bbd", "undetermined", "one step drifts", 2000},
      {"bdd", "drift", "two steps drift", 2000},
      {"xbbb", "bounded", "the coarsest of four steps may be unstable", 2000},
      {"bbrr", "bounded", "the finer ones at round-off", 2000},
      {"rrr", "exact", "all at round-off", 2000},
      {"lmn", "undetermined", "another level, nearer at each smaller step", 2000},
      {"lll", "drift", "the same level at all steps", 2000},
      {"nml", "drift", "another level, farther at smaller steps", 2000},
      {"lmd", "drift", "a drift at the finest step", 2000},
      {"LMN", "undetermined", "a level, reached sooner, nearer at each smaller step", 2000},
      {"lMN", "undetermined", "the same of both sorts", 2000},
      {"OPQ", "dissipates", "a loss of a third, less of it at each smaller step", 2000},
      {"LLL", "dissipates", "a loss down to the same level at all steps", 2000},
      {"NML", "dissipates", "farther down at smaller steps", 2000},
      {"LMd", "dissipates", "a drift at the finest step", 2000},
      {"Ldd", "drift", "drifts at all but the coarsest step", 2000},
      {"bLd", "drift", "a loss and a drift at two steps", 2000},
      {"bbL", "undetermined", "one step dissipates", 2000},
      {"", "undetermined", "no run at all", 2000}};
  const struct shk_drift good = classify(bounded, INTERVALS, true);
  const struct shk_drift moving = classify(tiny_drift, INTERVALS, true);
  const struct shk_drift still = classify(exact, INTERVALS, true);
  const struct shk_drift gone = classify(blow_up, INTERVALS, true);
  struct shk_drift settled[9]; /* l, m, n; L, M, N; O, P, Q */
  for (int i = 0; i < 9; i++) {
    apart = (i < 6 ? 1e-3 : 0.4) / pow(1.25, 2 * (i % 3));
    parting_time = i < 3 ? 1000 : 500;
    settled[i] = classify(flies_apart, INTERVALS, true);
    IS_CLASS(settled[i], i < 3 ? "drift" : "dissipates", "one step at another level: %s",
             settled[i].why);
  }
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct shk_drift combined, runs[4];
    const int count = (int)strlen(cases[i].runs);
    for (int k = 0; k < count; k++) {
      const char run = cases[i].runs[k];
      runs[k] = run == 'b'   ? good
                : run == 'd' ? moving
                : run == 'r' ? still
                : run == 'x' ? gone
                : run >= 'l' ? settled[run - 'l']
                             : settled[3 + run - 'L'];
    }
    shk_energy_combine(&combined, runs, count, cases[i].scales);
    IS_CLASS(combined, cases[i].class, "%s", cases[i].name);
    if (cases[i].scales == 999)
      tap_ok(strstr(combined.why, "too short") && strstr(combined.why, "bounded"), "says so: %s",
             combined.why);
  }
}

/* Störmer-Verlet for H = p²/2 + q⁴/4. `bias` is a relative error of each kick, in units of 2^-53;
 * sums are compensated where asked. */
#define DEFINE_OSCILLATOR(name, number)                                                            \
  static void name(struct shk_series *series, double q0, double h_text, int per_interval,          \
                   double bias, bool compensated)                                                  \
  {                                                                                                \
    const number h = (number)h_text, half = h / 2;                                                 \
    number q = (number)q0, p = (number)0.3, q_carry = 0, p_carry = 0;                              \
    const number start = p * p / 2 + q * q * q * q / 4;                                            \
    for (int i = 0; i < series->count; i++) {                                                      \
      double sum = 0, low = INFINITY, high = -INFINITY;                                            \
      for (int k = 0; k < per_interval; k++) {                                                     \
        for (int stage = 0; stage < 3; stage++) {                                                  \
          const number step =                                                                      \
              stage == 1 ? h * (p + p_carry) : -half * q * q * q * (number)(1 + bias * 0x1p-53);   \
          number *x = stage == 1 ? &q : &p, *carry = stage == 1 ? &q_carry : &p_carry;             \
          const number total = step + *carry, next = *x + total;                                   \
          *carry = compensated ? total - (next - *x) : 0;                                          \
          *x = next;                                                                               \
        }                                                                                          \
        const double error = (double)(p * p / 2 + q * q * q * q / 4 - start);                      \
        sum += error;                                                                              \
        low = fmin(low, error);                                                                    \
        high = fmax(high, error);                                                                  \
      }                                                                                            \
      series->time[i] = (i + 1) * per_interval * h_text;                                           \
      series->mean[i] = sum / per_interval;                                                        \
      series->minimum[i] = low;                                                                    \
      series->maximum[i] = high;                                                                   \
    }                                                                                              \
  }
__extension__ typedef SHK_QUAD quad;
DEFINE_OSCILLATOR(run_double, double)
DEFINE_OSCILLATOR(run_quad, quad)

static struct shk_growth grow(int starts, double bias, bool compensated, double leak)
{
  OUTCOME outcome = {0};
  struct shk_growth_pair pairs[16];
  const double h = 0x1p-5;
  const int intervals = 1000, per_interval = 100;
  for (int s = 0; s < starts; s++) {
    shk_outcome_add_series(&outcome, "low", intervals);
    shk_outcome_add_series(&outcome, "high", intervals);
  }
  for (int s = 0; s < starts; s++) {
    struct shk_series *low = &outcome.series[2 * s], *high = &outcome.series[2 * s + 1];
    const double q0 = 0.8 + 0.0371 * s;
    run_double(low, q0, h, per_interval, bias, compensated);
    run_quad(high, q0, h, per_interval, 0, compensated);
    for (int i = 0; i < intervals; i++)
      low->mean[i] += leak * low->time[i];
    pairs[s] = (struct shk_growth_pair){low, high, 0.5, (double)intervals * per_interval, 1};
  }
  const struct shk_growth growth = shk_growth_fit(pairs, starts, 0x1p-52);
  return growth;
}

static void test_growth(void)
{
  struct shk_growth g = grow(12, 0, true, 0);
  tap_diag("compensated: exponent %.3f ± %.3f, %s %s", g.exponent, g.half_width, g.word, g.why);
  tap_is_text(g.word, "random-walk", "compensated sums: round-off walks");
  tap_is_near(g.exponent, 0.5, 0.15, "with exponent one half");
  g = grow(12, 0, true, 1e-17);
  tap_diag("leaking: exponent %.3f ± %.3f, %s %s", g.exponent, g.half_width, g.word, g.why);
  tap_is_text(g.word, "linear", "a loss of 1e-17 a time: linear");
  g = grow(9, 0, true, 0);
  tap_ok(isnan(g.exponent), "nine starts are too few: %s", g.why);
  g = grow(12, 0, false, 0);
  tap_diag("plain sums: exponent %.3f ± %.3f, %s %s", g.exponent, g.half_width, g.word, g.why);

  /* Noise of H alone does not grow and has no exponent. */
  OUTCOME outcome = {0};
  struct shk_growth_pair pairs[10];
  for (int s = 0; s < 20; s++)
    shk_outcome_add_series(&outcome, "s", 1000);
  for (int s = 0; s < 20; s++)
    for (int i = 0; i < 1000; i++) {
      outcome.series[s].time[i] = i + 1;
      outcome.series[s].mean[i] = s % 2 ? 0 : gsl_ran_gaussian(rng, 1e-17);
    }
  for (int s = 0; s < 10; s++)
    pairs[s] = (struct shk_growth_pair){&outcome.series[2 * s], &outcome.series[2 * s + 1], 1,
                                        100000, 0.1};
  g = shk_growth_fit(pairs, 10, 0x1p-52);
  tap_ok(isnan(g.exponent) && strstr(g.why, "0 lags"), "noise alone does not grow: %s", g.why);
  outcome.series[4].count = 900;
  g = shk_growth_fit(pairs, 10, 0x1p-52);
  tap_ok(isnan(g.exponent) && strstr(g.why, "intervals"), "runs that do not match: %s", g.why);
}

int main(void)
{
  rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, (unsigned long)tap_seed(3));
  test_classes();
  test_near_misses();
  test_sizes();
  test_lines();
  test_random_walks();
  test_combination();
  test_growth();
  gsl_rng_free(rng);
  return tap_done();
}
