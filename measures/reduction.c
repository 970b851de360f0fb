/* Running reduction of a quantity to intervals; in double whatever the run's precision. */
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
  r->time = malloc(4 * (size_t)r->capacity * sizeof *r->time);
  r->minimum = r->time + r->capacity;
  r->mean = r->minimum + r->capacity;
  r->maximum = r->mean + r->capacity;
  return r->time != NULL;
}

void shk_reduction_clear(struct shk_reduction *r)
{
  free(r->time);
  *r = (struct shk_reduction){0};
}

static void note_size(struct shk_reduction *r, double value)
{
  const double size = fabs(value);
  if (!(size <= r->size) && !isnan(r->size)) /* a NaN stays */
    r->size = size;
  r->last = value;
}

void shk_reduction_start(struct shk_reduction *r, double value)
{
  note_size(r, value);
}

void shk_reduction_add(struct shk_reduction *r, double time, double value)
{
  const long within = r->seen % r->per_interval;
  if (within == 0) {
    r->minimum[r->count] = r->maximum[r->count] = r->mean[r->count] = value;
    r->count++;
  } else {
    const int i = r->count - 1;
    r->minimum[i] = fmin(r->minimum[i], value);
    r->maximum[i] = fmax(r->maximum[i], value);
    r->mean[i] += (value - r->mean[i]) / (double)(within + 1);
  }
  r->time[r->count - 1] = time;
  r->sum_of_squares += value * value;
  r->seen++;
  note_size(r, value);
}

double shk_reduction_rms(const struct shk_reduction *r)
{
  return r->seen > 0 ? sqrt(r->sum_of_squares / (double)r->seen) : 0;
}

/* Writes `joined` neighbours as one. */
static void join(const struct shk_reduction *r, struct shk_series *series, int at, int joined)
{
  const int begin = at * joined, end = begin + joined < r->count ? begin + joined : r->count;
  double low = r->minimum[begin], high = r->maximum[begin], sum = 0;
  for (int i = begin; i < end; i++) {
    low = fmin(low, r->minimum[i]);
    high = fmax(high, r->maximum[i]);
    sum += r->mean[i];
  }
  series->time[at] = r->time[end - 1];
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
    join(r, series, i, joined);
  return series;
}
