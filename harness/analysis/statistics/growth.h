/* Measures the growth of round-off in the energy from the difference between two runs of the same
 * map, one in double and one in quad precision. */
#ifndef HARNESS_ANALYSIS_STATISTICS_GROWTH_H
#define HARNESS_ANALYSIS_STATISTICS_GROWTH_H

#include "foundation/specifications/cell.h"

/* The minimum number of initial states. */
#define SHK_GROWTH_STARTS 10

/* The energy errors of the two runs from one initial state, and the unit in which their difference
 * is measured. */
struct shk_growth_pair {
  const struct shk_series *low, *high; /* the runs in double and in quad, with the same intervals */
  double scale;                        /* a typical energy of the problem */
  double steps;                        /* number of steps */
  double time_scale;                   /* time scale of the problem */
};

struct shk_growth {
  /* the exponent with which the RMS increment grows as the lag increases, or NaN if unknown */
  double exponent;
  double half_width; /* the half-width of the exponent at 95 % confidence */
  const char *word;  /* "random-walk" (½), "linear" (1), or "undetermined" */
  char why[160];     /* the reason if the word is "undetermined" */
};

/* Fits the growth of round-off. `epsilon` is the machine epsilon of the lower precision. */
struct shk_growth shk_growth_fit(const struct shk_growth_pair *pairs, int count, double epsilon);

#endif
