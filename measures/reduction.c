/* Reduces a quantity to intervals, always in double precision. See reduction.h. */
#include "measures/reduction.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 1000 };

bool shk_reduction_init(struct shk_reduction *r, long observations)
{
  *r = (struct shk_reduction){.per_interval = (observations + MOST_INTERVALS - 1) / MOST_INTERVALS};
  if (r->per_interval < 1)
    r->per_interval = 1;
  r->capacity = (int)((observations + r->per_interval - 1) / r->per_interval) + 1;
  r->intervals = malloc((size_t)r->capacity * sizeof *r->intervals);
  return r->intervals != NULL;
}

void shk_reduction_clear(struct shk_reduction *r)
{
  free(r->intervals);
  *r = (struct shk_reduction){0};
}

/* Returns the smaller of a and b, or b if they are equal. If b is NaN, returns a. */
static double lower_reduction(double a, double b)
{
  return isnan(b) || a < b ? a : b;
}

static double higher_reduction(double a, double b)
{
  return isnan(b) || a > b ? a : b;
}

static void note_size(struct shk_reduction *r, double value)
{
  const double size = fabs(value);
  if (!(size <= r->size) && !isnan(r->size)) /* also true for NaN, which is then stored */
    r->size = size;
  r->last = value;
}

void shk_reduction_add(struct shk_reduction *r, double time, double value)
{
  if (r->within == 0 || r->within == r->per_interval) {
    r->intervals[r->count++] = (struct shk_interval){time, value, value, value};
    r->within = 1;
  } else {
    struct shk_interval *const present = &r->intervals[r->count - 1];
    r->within++;
    present->time = time;
    present->minimum = lower_reduction(present->minimum, value);
    present->maximum = higher_reduction(present->maximum, value);
    present->mean += (value - present->mean) / (double)r->within;
  }
  r->seen++;
  note_size(r, value);
}

void shk_reduction_note(struct shk_reduction *r, double time, double value)
{
  if (r->begun)
    shk_reduction_add(r, time, value);
  else
    note_size(r, value);
  r->begun = true;
}

/* Replaces the end times of all intervals except the last with exact multiples of the first if they
 * are nearly multiples already. */
static void straighten_ends(double *ends, int count)
{
  for (int i = 1; i < count - 1; i++)
    if (!(fabs(ends[i] - (i + 1) * ends[0]) <= 4 * DBL_EPSILON * fabs(ends[i])))
      return;
  for (int i = 1; i < count - 1; i++)
    ends[i] = (i + 1) * ends[0];
}

struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name)
{
  struct shk_series *series = shk_outcome_add_series(outcome, name, r->count);
  for (int i = 0; i < r->count; i++) {
    series->time[i] = r->intervals[i].time;
    series->minimum[i] = r->intervals[i].minimum;
    series->mean[i] = r->intervals[i].mean;
    series->maximum[i] = r->intervals[i].maximum;
  }
  straighten_ends(series->time, series->count);
  return series;
}

void shk_reduction_finish_largest(const struct shk_reduction *r, struct shk_outcome *outcome,
                                  const char *name)
{
  struct shk_series *series = shk_reduction_finish(r, outcome, name);
  for (int i = 0; i < series->count; i++)
    series->minimum[i] = series->mean[i] = series->maximum[i];
  shk_series_to_single(series);
}
