/* Reduction of a quantity to intervals, in double in all precisions. See reduction.h. */
#include "measures/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool shk_reduction_init(struct shk_reduction *r, long observations)
{
  *r = (struct shk_reduction){.per_interval =
                                  (observations + SHK_ALL_INTERVALS - 1) / SHK_ALL_INTERVALS};
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

/* Returns the smaller of a and b, b if they are equal; ignores a NaN in b. */
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
  if (!(size <= r->size) && !isnan(r->size)) /* keeps a NaN */
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

/* Stores `joined` neighbouring intervals as interval `at` of the series. */
static void join_reduction(const struct shk_reduction *r, struct shk_series *series, int at,
                           int joined)
{
  const int begin = at * joined, end = begin + joined < r->count ? begin + joined : r->count;
  double low = r->intervals[begin].minimum, high = r->intervals[begin].maximum, sum = 0;
  for (int i = begin; i < end; i++) {
    low = lower_reduction(low, r->intervals[i].minimum);
    high = higher_reduction(high, r->intervals[i].maximum);
    sum += r->intervals[i].mean;
  }
  series->time[at] = r->intervals[end - 1].time;
  series->minimum[at] = low;
  series->mean[at] = sum / (end - begin);
  series->maximum[at] = high;
}

struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name, int most)
{
  const int joined = r->count > most ? (r->count + most - 1) / most : 1;
  struct shk_series *series =
      shk_outcome_add_series(outcome, name, (r->count + joined - 1) / joined);
  for (int i = 0; i < series->count; i++)
    join_reduction(r, series, i, joined);
  return series;
}
