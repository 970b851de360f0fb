/*
 * What an accuracy costs: the least CPU time and the fewest evaluations at which a method reaches an
 * error of q, for the errors 1e-4, 1e-6 and 1e-8.
 */
#ifndef HARNESS_ANALYSIS_COST_H
#define HARNESS_ANALYSIS_COST_H

#include "harness/analysis/curve.h"
#include "harness/analysis/findings.h"

struct shk_cost {
  double least; /* NaN: no run is so accurate */
  bool bound;   /* it is that of the coarsest run, which is more accurate: at most so much */
  int run;      /* where there is a number, the finer of the two runs about it */
};

/* Among points[i].error and the cost of each, which is positive where it counts. Between two runs it is
 * interpolated in the logarithms, beyond the last nothing is. */
struct shk_cost shk_least_cost(const struct shk_point *points, const double *costs, int count,
                               double error);

/* The findings of a curve of q. */
void shk_costs_report(struct shk_findings *findings, const struct shk_family *family,
                      const struct shk_curve *curve);

#endif
