/*
 * What an accuracy costs: from the errors and the costs of several runs, the coarsest first.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_COST_H
#define HARNESS_ANALYSIS_STATISTICS_COST_H

#include <stdbool.h>

struct shk_run_cost {
  double error, cost; /* counts where both are positive and finite */
  double step;        /* or tolerance */
};

struct shk_least_cost {
  double least;      /* NaN: no run is so accurate */
  double step;       /* where it is */
  bool bound;        /* it is that of the coarsest run, which is more accurate: at most so much */
  int run;           /* where there is a number, the finer of the two runs about it */
  double best_error; /* of all; NaN: no run counts */
};

/* Between two runs it is interpolated in the logarithms, beyond the last nothing is. */
struct shk_least_cost shk_least_cost(const struct shk_run_cost *runs, int count, double error);

#endif
