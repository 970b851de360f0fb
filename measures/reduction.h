/*
 * Reduces a quantity along a run to at most 1,000 intervals with equal numbers of observations (the
 * last interval may contain fewer), and finds the largest absolute value over all observations.
 */
#ifndef MEASURES_REDUCTION_H
#define MEASURES_REDUCTION_H

#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* Using one struct instead of four arrays is faster, because every step writes to all of the
 * members. */
struct shk_interval {
  double time, minimum, mean, maximum; /* `time` is the end time of the interval */
};

struct shk_reduction {
  /* the number of observations per interval, and the number in the current interval */
  long per_interval, within;
  long seen;           /* number of values so far, excluding the start */
  int count, capacity; /* of intervals */
  struct shk_interval *intervals;
  bool begun;  /* true if the value at the start is stored */
  double size; /* largest |value|, including the start; NaN once any value has been NaN */
  double last;
};

/* Prepares the reduction for `observations` values after the start. Returns false if an allocation
 * fails. */
bool shk_reduction_init(struct shk_reduction *r, long observations);
void shk_reduction_clear(struct shk_reduction *r);
/* Records the initial value, which does not belong to any interval. */
void shk_reduction_note(struct shk_reduction *r, double time, double value);
/* Adds the next value, recorded at `time`, which is measured from the start of the run. */
void shk_reduction_add(struct shk_reduction *r, double time, double value);
/* Adds the series to the outcome and returns it. The end times of equal intervals are changed by
 * less than 4 epsilon to become exact multiples of the first, so that a record can store them as
 * two numbers. */
struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name);
/* Adds a series that contains only the largest value of each interval, in single precision. The
 * minimum, mean and maximum of this series are equal, so a record stores them only once. */
void shk_reduction_finish_largest(const struct shk_reduction *r, struct shk_outcome *outcome,
                                  const char *name);

#endif
