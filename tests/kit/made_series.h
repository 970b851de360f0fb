/* Series of made-up energies, for the tests of energy classes. */
#ifndef TESTS_KIT_MADE_SERIES_H
#define TESTS_KIT_MADE_SERIES_H

#include "results/record/record.h"

#include <math.h>

/* Fills interval i of the series, which ends at that time, with these values. */
static inline void fill_interval(struct shk_series *series, int i, double time,
                                 const double *values, int count)
{
  double low = INFINITY, high = -INFINITY, sum = 0;
  for (int k = 0; k < count; k++) {
    low = fmin(low, values[k]);
    high = fmax(high, values[k]);
    sum += values[k];
  }
  series->time[i] = time;
  series->minimum[i] = low;
  series->maximum[i] = high;
  series->mean[i] = sum / count;
}

#endif
