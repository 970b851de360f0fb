/* Statistics over the members of a cell. See members.h. */
#include "harness/analysis/statistics/members.h"

#include "foundation/memory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

double shk_member_half_width(const double *values, int count, double confidence)
{
  if (count < 2)
    return NAN;
  const double error = gsl_stats_sd(values, 1, (size_t)count) / sqrt(count);
  return gsl_cdf_tdist_Pinv((1 + confidence) / 2, count - 1) * error;
}

struct shk_member_statistics shk_member_statistics(const double *values, int count)
{
  struct shk_member_statistics s = {.count = count};
  if (count == 0)
    return s;
  s.mean = gsl_stats_mean(values, 1, (size_t)count);
  s.half_width = shk_member_half_width(values, count, 0.95);
  s.least = s.largest = values[0];
  for (int i = 0; i < count; i++) {
    if (isnan(values[i])) {
      s.mean = s.half_width = s.least = s.largest = NAN;
      s.worst = i;
      break;
    }
    s.least = fmin(s.least, values[i]);
    s.largest = fmax(s.largest, values[i]);
    if (fabs(values[i]) > fabs(values[s.worst]))
      s.worst = i;
  }
  return s;
}

struct shk_member_statistics shk_member_scalars(const struct shk_outcome *outcome, const char *name)
{
  const size_t count = (size_t)outcome->member_count;
  double *const values = shk_allocate(count + 1, sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = shk_outcome_scalar(&outcome->members[i], name);
  const struct shk_member_statistics s = shk_member_statistics(values, outcome->member_count);
  free(values);
  return s;
}
