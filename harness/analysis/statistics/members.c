/* Computes statistics over the members of a cell; see members.h. */
#include "harness/analysis/statistics/members.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double shk_member_half_width(const double *values, size_t stride, int count, double confidence)
{
  if (count < 2)
    return NAN;
  const double error = gsl_stats_sd(values, stride, (size_t)count) / sqrt(count);
  return gsl_cdf_tdist_Pinv((1 + confidence) / 2, count - 1) * error;
}

struct shk_member_statistics shk_member_statistics(const double *values, size_t stride, int count)
{
  const size_t size = (size_t)count;
  if (count == 0)
    return (struct shk_member_statistics){0};
  struct shk_member_statistics s = {.count = count,
                                    .mean = gsl_stats_mean(values, stride, size),
                                    .half_width =
                                        shk_member_half_width(values, stride, count, 0.95),
                                    .least = gsl_stats_min(values, stride, size),
                                    .largest = gsl_stats_max(values, stride, size)};
  double worst = 0;
  for (size_t i = 0; i < size && !isnan(worst); i++)
    if (!(fabs(values[i * stride]) <= worst)) {
      worst = fabs(values[i * stride]);
      s.worst = (int)i;
    }
  return s;
}
