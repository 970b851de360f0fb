/* The median of paired times, on numbers that are made up: no test depends on a clock. */
#include "foundation/paired.h"
#include "harness/check/band.h"
#include "tests/kit/findings_fixture.h"
#include "tests/kit/tap.h"

#include <string.h>

enum { MOST = 401 };

static unsigned long long seed = 20261130;

/* Uniform in (0, 1). */
static double uniform(void)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
  return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Ratios with this median: noise of 5 percent, and in a tenth of the pairs another process takes up to
 * four times as long from either side. */
static struct shk_median measured(double median, int count)
{
  double ratios[MOST];
  for (int i = 0; i < count; i++) {
    ratios[i] = median * exp(0.05 * normal());
    if (uniform() < 0.1)
      ratios[i] *= uniform() < 0.5 ? 1 + 3 * uniform() : 1 / (1 + 3 * uniform());
  }
  return shk_median_of_pairs(ratios, count);
}

/* The half-width holds in 99 of 100 cases, at least 98.5 in 2000 trials by chance, and is no wider than
 * it must be: the standard error of the median is 1.25 s/sqrt(n), s = 0.05 for nine tenths of them; the
 * farther end is a little farther, and ranks are whole numbers. */
static void half_widths_hold(void)
{
  enum { TRIALS = 2000 };
  static const int counts[] = {9, 10, 31, 32, 101, MOST};
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
    const int n = counts[k];
    int inside = 0;
    double sum = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      const struct shk_median got = measured(1.7, n);
      inside += fabs(got.value - 1.7) <= got.half_width;
      sum += got.half_width / got.value;
    }
    const double expected = 2.58 * 1.25 * (0.05 / 0.9) / sqrt(n);
    tap_ok(inside >= 0.985 * TRIALS, "of %d pairs: it holds in %d of %d", n, inside, TRIALS);
    if (n > 10)
      tap_ok(sum / TRIALS < 1.8 * expected, "... and is %.3g of the median, expected %.3g",
             sum / TRIALS, expected);
  }
}

static void plain_cases(void)
{
  double one[] = {3}, even[] = {4, 1, 3, 2}, nine[] = {9, 1, 8, 2, 7, 3, 6, 4, 5.5};
  tap_ok(shk_median_of_pairs(one, 1).value == 3, "of one number");
  const struct shk_median got = shk_median_of_pairs(even, 4);
  tap_ok(got.value == 2.5 && isnan(got.half_width), "of four, without a half-width");
  const struct shk_median all = shk_median_of_pairs(nine, 9);
  tap_ok(all.value == 5.5 && all.half_width == 4.5, "of nine: as far as the farther end");
}

static bool passes(const struct shk_median *was, const struct shk_median *is)
{
  enum shk_band_reason why;
  const struct shk_finding f = finding("time", was->value, was->half_width);
  const struct shk_band band = shk_band_of(&f, &why);
  return shk_band_holds(&band, was->value, was->half_width, is->value, is->half_width);
}

/* A check is a comparison of two of these medians, of which the machine adds its own few percent. With
 * such noise a cell takes about a hundred pairs. */
static void gates(void)
{
  enum { CHECKS = 1000, PAIRS = 101 };
  int alarms = 0, seen = 0;
  for (int i = 0; i < CHECKS; i++) {
    const double machine = 1 + 0.2 * (uniform() - 0.5); /* up to a tenth */
    const struct shk_median was = measured(1.2, PAIRS), same = measured(1.2 * machine, PAIRS),
                            slow = measured(1.5 * 1.2 * machine, PAIRS);
    alarms += !passes(&was, &same);
    seen += !passes(&was, &slow);
  }
  tap_is_int(alarms, 0, "no false alarm in %d checks", CHECKS);
  tap_is_int(seen, CHECKS, "and half as slow again is always seen");
}

int main(void)
{
  plain_cases();
  half_widths_hold();
  gates();
  return tap_done();
}
