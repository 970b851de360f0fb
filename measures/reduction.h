/*
 * A quantity along a run, reduced to at most 2,000 intervals of equally many observations, with its
 * largest size and root mean square over all of them.
 */
#ifndef MEASURES_REDUCTION_H
#define MEASURES_REDUCTION_H

#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* Together, since every step writes to all of it. */
struct shk_interval {
  double time, minimum, mean, maximum; /* time: where it ends */
};

struct shk_reduction {
  long per_interval, within; /* observations per interval; in the present one */
  long seen;                 /* so far, without the start */
  int count, capacity;       /* intervals */
  struct shk_interval *intervals;
  double size; /* largest |value|, the start's too */
  double sum_of_squares, last;
};

/* For `observations` values after the start's; false without memory. */
bool shk_reduction_init(struct shk_reduction *r, long observations);
void shk_reduction_clear(struct shk_reduction *r);
/* The value at the start, which belongs to no interval. */
void shk_reduction_start(struct shk_reduction *r, double value);
/* The next value, at `time` since the start of the run. */
void shk_reduction_add(struct shk_reduction *r, double time, double value);
/* Root mean square of the values after the start; 0 if there are none. */
double shk_reduction_rms(const struct shk_reduction *r);
/* What an analysis takes is kept in all intervals; what is drawn alone, in those that lines are
 * drawn with. */
enum { SHK_ALL_INTERVALS = 2000, SHK_LINE_INTERVALS = 100 };
/* Adds the series, which it returns, in at most so many intervals: as many neighbours as that takes
 * are joined, the last interval may be shorter. */
struct shk_series *shk_reduction_finish(const struct shk_reduction *r, struct shk_outcome *outcome,
                                        const char *name, int most);

#endif
