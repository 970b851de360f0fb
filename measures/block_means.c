/* Means and slopes along a run. See block_means.h. */
#include "measures/block_means.h"

#include <math.h>
#include <stdio.h>

enum { BLOCKS = 32, LEAST = 4 };

struct blocks {
  int count;
  /* the end time of each block of intervals, and the mean of the values in the block */
  double time[BLOCKS], mean[BLOCKS];
};

/* Uses only full intervals, because the last interval may contain fewer values. */
static struct blocks cut_block_means(const struct shk_reduction *series)
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

static double mean_of(const double *x, int count)
{
  double mean = 0;
  for (int i = 0; i < count; i++)
    mean += x[i] / count;
  return mean;
}

/* Returns Σ (x - x_mean) (y - y_mean). */
static double mixed_moment(const double *x, double x_mean, const double *y, double y_mean,
                           int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (x[i] - x_mean) * (y[i] - y_mean);
  return sum;
}

struct shk_estimate shk_mean_along(const struct shk_reduction *series)
{
  const struct blocks b = cut_block_means(series);
  const double mean = mean_of(b.mean, b.count),
               squares = mixed_moment(b.mean, mean, b.mean, mean, b.count);
  if (b.count < LEAST)
    return (struct shk_estimate){b.count > 0 ? mean : NAN, NAN};
  return (struct shk_estimate){mean, sqrt(squares / (b.count - 1) / b.count)};
}

struct shk_estimate shk_slope_along(const struct shk_reduction *series)
{
  const struct blocks b = cut_block_means(series);
  if (b.count < LEAST)
    return (struct shk_estimate){NAN, NAN};
  const double middle = mean_of(b.time, b.count), mean = mean_of(b.mean, b.count),
               spread = mixed_moment(b.time, middle, b.time, middle, b.count),
               slope = mixed_moment(b.time, middle, b.mean, mean, b.count) / spread;
  double rest = 0;
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
