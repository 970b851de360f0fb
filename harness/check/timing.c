/* Ratios of seconds. See timing.h. */
#include "harness/check/timing.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_FOR_OUTLIERS = 5 };

/* Of the modified z-score; 1.4826 MAD is a standard deviation of normal errors. */
static const double most_deviations = 3.5, scale = 1.4826, least_factor = 1.2;

static double median_of(double *values, int count)
{
  gsl_sort(values, 1, (size_t)count);
  return gsl_stats_median_from_sorted_data(values, 1, (size_t)count);
}

static struct shk_timing_ratio ratio_of(char *outlier, const struct shk_timing *timings, int count,
                                        int first)
{
  struct shk_timing_ratio ratio = {
      .group = timings[first].group, .low = INFINITY, .high = -INFINITY};
  double *values = shk_allocate((size_t)count, sizeof *values);
  for (int i = first; i < count; i++)
    if (strcmp(timings[i].group, ratio.group) == 0)
      values[ratio.count++] = log(timings[i].is / timings[i].was);
  const double middle = median_of(values, ratio.count);
  for (int i = 0; i < ratio.count; i++)
    values[i] = fabs(values[i] - middle);
  const double width =
      fmax(most_deviations * scale * median_of(values, ratio.count), log(least_factor));
  free(values);
  ratio.median = exp(middle);
  for (int i = first; i < count; i++) {
    if (strcmp(timings[i].group, ratio.group) != 0)
      continue;
    const double here = timings[i].is / timings[i].was;
    const bool out = ratio.count >= LEAST_FOR_OUTLIERS && fabs(log(here) - middle) > width;
    ratio.outliers += out;
    if (outlier)
      outlier[i] = out;
    if (!out) {
      ratio.low = fmin(ratio.low, here);
      ratio.high = fmax(ratio.high, here);
    }
  }
  return ratio;
}

int shk_timing_ratios(struct shk_timing_ratio **ratios, char *outlier,
                      const struct shk_timing *timings, int count)
{
  int groups = 0;
  *ratios = NULL;
  for (int i = 0; i < count; i++) {
    bool seen = false;
    for (int j = 0; j < groups && !seen; j++)
      seen = strcmp((*ratios)[j].group, timings[i].group) == 0;
    if (seen)
      continue;
    *ratios = shk_grow(*ratios, (size_t)groups, sizeof **ratios);
    (*ratios)[groups++] = ratio_of(outlier, timings, count, i);
  }
  return groups;
}

void shk_timing_print(FILE *file, const char *prefix, const struct shk_timing *timings, int count)
{
  struct shk_timing_ratio *ratios;
  char *outlier = shk_allocate((size_t)count, 1);
  const int groups = shk_timing_ratios(&ratios, outlier, timings, count);
  for (int g = 0; g < groups; g++) {
    const struct shk_timing_ratio *r = &ratios[g];
    fputs(prefix, file);
    shk_print_plain(file, r->group);
    fprintf(file, ": %.3g times the seconds (%.3g … %.3g, %d timing%s", r->median, r->low, r->high,
            r->count, r->count == 1 ? "" : "s");
    if (r->outliers > 0)
      fprintf(file, ", %d outlier%s left out", r->outliers, r->outliers == 1 ? "" : "s");
    fputs(")\n", file);
    for (int i = 0; i < count; i++) {
      if (!outlier[i] || strcmp(timings[i].group, r->group) != 0)
        continue;
      fprintf(file, "%s  outlier: %.3g on ", prefix, timings[i].is / timings[i].was);
      shk_print_plain(file, timings[i].what);
      putc('\n', file);
    }
  }
  free(ratios);
  free(outlier);
}
