/* The least-squares line y = constant + slope x. */
#ifndef HARNESS_ANALYSIS_STATISTICS_LINE_H
#define HARNESS_ANALYSIS_STATISTICS_LINE_H

#include <gsl/gsl_fit.h>
#include <math.h>

struct shk_line {
  double constant, slope;
  double error;   /* standard error of the slope */
  double squares; /* sum of squared residuals */
};

static inline struct shk_line shk_line_fit(const double *x, const double *y, int count)
{
  struct shk_line line;
  double variance, covariance, of_slope;
  gsl_fit_linear(x, 1, y, 1, (size_t)count, &line.constant, &line.slope, &variance, &covariance,
                 &of_slope, &line.squares);
  line.error = sqrt(of_slope);
  return line;
}

#endif
