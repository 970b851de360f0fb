/* Growth of round-off in the energy, found from the difference between a run in double and a run of
 * the same map in quad. */
#ifndef HARNESS_ANALYSIS_STATISTICS_GROWTH_H
#define HARNESS_ANALYSIS_STATISTICS_GROWTH_H

#include "foundation/specifications/cell.h"

/* Minimum number of starts. */
#define SHK_GROWTH_STARTS 10

/* One start: the energy errors of its two runs, and the unit in which their difference is
 * measured. */
struct shk_growth_pair {
  const struct shk_series *low, *high; /* double and quad, over the same intervals */
  double scale;                        /* typical energy of the problem */
  double steps;                        /* number of steps */
  double time_scale;                   /* time scale of the problem */
};

struct shk_growth {
  double exponent;   /* power of the lag with which the RMS increment grows; NaN if there is none */
  double half_width; /* half-width at 95 % confidence */
  const char *word;  /* "random-walk" (½), "linear" (1), or "undetermined" */
  char why[160];     /* reason why undetermined */
};

/* Fits the growth. `epsilon` is the epsilon of the lower precision. */
struct shk_growth shk_growth_fit(const struct shk_growth_pair *pairs, int count, double epsilon);

#endif
