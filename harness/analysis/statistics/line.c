/* Fits straight lines by least squares; see line.h. */
#include "harness/analysis/statistics/line.h"

#include "foundation/memory.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

struct shk_line shk_line_fit(const double *x, const double *y, int count)
{
  struct shk_line line;
  double variance, covariance, of_slope;
  gsl_fit_linear(x, 1, y, 1, (size_t)count, &line.constant, &line.slope, &variance, &covariance,
                 &of_slope, &line.squares);
  line.error = sqrt(of_slope);
  return line;
}

struct shk_line shk_power_fit(const double *x, const double *y, int count)
{
  double *const log_x = shk_allocate(2 * (size_t)count, sizeof *log_x), *const log_y =
                                                                            log_x + count;
  for (int i = 0; i < count; i++) {
    log_x[i] = log(x[i]);
    log_y[i] = log(y[i]);
  }
  const struct shk_line line = shk_line_fit(log_x, log_y, count);
  free(log_x);
  return line;
}
