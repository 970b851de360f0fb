/* Cost of an accuracy, from the errors and costs of several runs, the coarsest first. */
#ifndef HARNESS_ANALYSIS_STATISTICS_COST_H
#define HARNESS_ANALYSIS_STATISTICS_COST_H

#include <stdbool.h>

struct shk_run_cost {
  double error, cost; /* used if both are positive and finite */
  double step;        /* or tolerance */
};

struct shk_least_cost {
  double least;      /* NaN: no run is as accurate */
  double step;       /* of the least cost */
  bool bound;        /* an upper bound, the cost of the coarsest run, which is more accurate */
  int run;           /* if there is a cost: the finer of the two runs about it */
  double best_error; /* of all runs; NaN: no run is used */
};

/* Finds the least cost of an error, interpolated in the logarithms between two runs; no
 * extrapolation. */
struct shk_least_cost shk_least_cost(const struct shk_run_cost *runs, int count, double error);

#endif
