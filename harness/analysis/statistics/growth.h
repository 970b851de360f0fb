/* Growth of round-off in the energy: the run in double less that in quad, by the same map. */
#ifndef HARNESS_ANALYSIS_STATISTICS_GROWTH_H
#define HARNESS_ANALYSIS_STATISTICS_GROWTH_H

#include "foundation/specifications/cell.h"

/* Least number of starts. */
#define SHK_GROWTH_STARTS 10

/* One start: the energy errors of the two runs, and the unit of their difference. */
struct shk_growth_pair {
  const struct shk_series *low, *high; /* double, quad; the same intervals */
  double scale;                        /* typical energy of the problem */
  double steps;                        /* number of steps */
  double time_scale;                   /* of the problem */
};

struct shk_growth {
  double exponent;   /* of the RMS increment over a lag, as a power of the lag; NaN: none */
  double half_width; /* 95 % */
  const char *word;  /* "random-walk" (½), "linear" (1), or "undetermined" */
  char why[160];     /* when undetermined */
};

/* Fits the growth; `epsilon` is the lower precision's. */
struct shk_growth shk_growth_fit(const struct shk_growth_pair *pairs, int count, double epsilon);

#endif
