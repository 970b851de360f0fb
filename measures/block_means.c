/* Means and slopes along a run. See block_means.h. */
#include "measures/block_means.h"

#include <math.h>
#include <stdio.h>

enum { BLOCKS = 32, LEAST = 4 };

struct blocks {
  int count;
  double time[BLOCKS], mean[BLOCKS]; /* at the middle of each block; over the block */
};

/* Uses full intervals only: the last interval may have fewer values. */
static struct blocks cut(const struct shk_reduction *series)
{
  const int whole = (int)(series->seen / series->per_interval);
  const int count = whole < BLOCKS ? whole : BLOCKS;
  struct blocks blocks = {.count = count};
  for (int b = 0; b < count; b++) {
    const int from = whole * b / count, to = whole * (b + 1) / count;
    for (int i = from; i < to; i++) {
      blocks.time[b] += series->intervals[i].time / (to - from);
      blocks.mean[b] += series->intervals[i].mean / (to - from);
    }
  }
  return blocks;
}

struct shk_estimate shk_mean_along(const struct shk_reduction *series)
{
  const struct blocks b = cut(series);
  double mean = 0, squares = 0;
  for (int i = 0; i < b.count; i++)
    mean += b.mean[i] / b.count;
  for (int i = 0; i < b.count; i++)
    squares += (b.mean[i] - mean) * (b.mean[i] - mean);
  if (b.count < LEAST)
    return (struct shk_estimate){b.count > 0 ? mean : NAN, NAN};
  return (struct shk_estimate){mean, sqrt(squares / (b.count - 1) / b.count)};
}

struct shk_estimate shk_slope_along(const struct shk_reduction *series)
{
  const struct blocks b = cut(series);
  double middle = 0, mean = 0, spread = 0, slope = 0, rest = 0;
  if (b.count < LEAST)
    return (struct shk_estimate){NAN, NAN};
  for (int i = 0; i < b.count; i++) {
    middle += b.time[i] / b.count;
    mean += b.mean[i] / b.count;
  }
  for (int i = 0; i < b.count; i++) {
    spread += (b.time[i] - middle) * (b.time[i] - middle);
    slope += (b.time[i] - middle) * (b.mean[i] - mean);
  }
  slope /= spread;
  for (int i = 0; i < b.count; i++) {
    const double off = b.mean[i] - mean - slope * (b.time[i] - middle);
    rest += off * off;
  }
  return (struct shk_estimate){slope, sqrt(rest / (b.count - 2) / spread)};
}

void shk_estimate_add(struct shk_outcome *outcome, const char *name, struct shk_estimate estimate,
                      double unit)
{
  char text[96];
  if (isnan(estimate.value))
    return;
  shk_outcome_add_scalar(outcome, name, estimate.value * unit);
  if (isnan(estimate.error))
    return;
  snprintf(text, sizeof text, "%s-error", name);
  shk_outcome_add_scalar(outcome, text, estimate.error * unit);
}
