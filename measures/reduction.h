/*
 * A quantity along a run, reduced to at most 1,000 intervals with equal numbers of observations
 * (the last interval may have fewer), and its largest absolute value over all observations.
 */
#ifndef MEASURES_REDUCTION_H
#define MEASURES_REDUCTION_H

#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* This is one struct instead of four arrays, because every step writes to all its members. */
struct shk_interval {
  double time, minimum, mean, maximum; /* `time` is the end of the interval */
};

struct shk_reduction {
  /* number of observations per interval, and of those in the current interval */
  long per_interval, within;
  long seen;           /* number of values so far, excluding the start */
  int count, capacity; /* of intervals */
  struct shk_interval *intervals;
  bool begun;  /* true if the value at the start is stored */
  double size; /* largest |value|, including the start; NaN once any value has been NaN */
  double last;
};

/* Prepares for `observations` values after the start. Returns false if an allocation fails. */
bool shk_reduction_init(struct shk_reduction *r, long observations);
void shk_reduction_clear(struct shk_reduction *r);
/* Records the value at the start, which does not belong to any interval. */
void shk_reduction_note(struct shk_reduction *r, double time, double value);
/* Adds the next value, at `time` since the start of the run. */
void shk_reduction_add(struct shk_reduction *r, double time, double value);
/* Adds the series to the outcome and returns it. The ends of equal intervals become exact multiples
 * of the first, which a record stores in two numbers; this moves them by less than 4 epsilon. */
struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name);
/* Adds a series that contains only the largest value of each interval, in single precision. Its
 * minimum, mean and maximum are equal, so a record stores them only once. */
void shk_reduction_finish_largest(const struct shk_reduction *r, struct shk_outcome *outcome,
                                  const char *name);

#endif
