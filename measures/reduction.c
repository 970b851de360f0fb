/* Running reduction of a quantity to intervals; in double whatever the run's precision. */
#include "measures/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTERVALS 2000

bool shk_reduction_init(struct shk_reduction *r, long observations)
{
  *r = (struct shk_reduction){.per_interval = (observations + INTERVALS - 1) / INTERVALS};
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

struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name)
{
  struct shk_series *series = shk_outcome_add_series(outcome, name, r->count);
  const size_t bytes = (size_t)r->count * sizeof *r->time;
  if (bytes == 0)
    return series;
  memcpy(series->time, r->time, bytes);
  memcpy(series->minimum, r->minimum, bytes);
  memcpy(series->mean, r->mean, bytes);
  memcpy(series->maximum, r->maximum, bytes);
  return series;
}
