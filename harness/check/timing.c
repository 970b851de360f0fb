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

/* Bounds for outliers: of the modified z-score; 1.4826 MAD is a standard deviation of normal
 * errors. */
static const double most_deviations = 3.5, scale = 1.4826, least_factor = 1.2;

static double median_of(double *values, int count)
{
  gsl_sort(values, 1, (size_t)count);
  return gsl_stats_median_from_sorted_data(values, 1, (size_t)count);
}

static double ratio(const struct shk_compared *row)
{
  return row->is->value / row->was->value;
}

static bool is_timed(const struct shk_compared *row)
{
  return row->was && row->is && row->was->why == SHK_BECAUSE_CLOCK && row->was->value > 0 &&
         row->is->value > 0;
}

static bool same_group(const struct shk_compared *a, const struct shk_compared *b)
{
  return strcmp(a->was->integrator, b->was->integrator) == 0 &&
         strcmp(a->was->precision, b->was->precision) == 0;
}

static void print_group(FILE *file, const char *prefix, const struct shk_compared *const *rows,
                        int count)
{
  double *const values = shk_allocate((size_t)count, sizeof *values);
  double low = INFINITY, high = -INFINITY, width = INFINITY;
  int outliers = 0;
  for (int i = 0; i < count; i++)
    values[i] = log(ratio(rows[i]));
  const double middle = median_of(values, count);
  for (int i = 0; i < count; i++)
    values[i] = fabs(log(ratio(rows[i])) - middle);
  if (count >= LEAST_FOR_OUTLIERS)
    width = fmax(most_deviations * scale * median_of(values, count), log(least_factor));
  free(values);
  for (int i = 0; i < count; i++) {
    const bool outlier = fabs(log(ratio(rows[i])) - middle) > width;
    outliers += outlier;
    low = outlier ? low : fmin(low, ratio(rows[i]));
    high = outlier ? high : fmax(high, ratio(rows[i]));
  }
  fputs(prefix, file);
  shk_print_plain(file, rows[0]->was->integrator);
  fprintf(file, " in %s: %.3g times the seconds (%.3g … %.3g, %d timing%s", rows[0]->was->precision,
          exp(middle), low, high, count, count == 1 ? "" : "s");
  if (outliers > 0)
    fprintf(file, ", %d outlier%s left out", outliers, outliers == 1 ? "" : "s");
  fputs(")\n", file);
  for (int i = 0; i < count; i++)
    if (fabs(log(ratio(rows[i])) - middle) > width) {
      fprintf(file, "%s  outlier: %.3g on ", prefix, ratio(rows[i]));
      shk_print_plain(file, rows[i]->was->problem);
      putc('\n', file);
    }
}

/* An outlier differs from the median by more than 3.5 times the median absolute deviation of the
 * logarithms, scaled to a standard deviation (Iglewicz & Hoaglin 1993), and by more than a factor
 * of 1.2, among at least 5 timings. */
void shk_timing_print(FILE *file, const char *prefix, const struct shk_comparison *comparison)
{
  const struct shk_compared **group = shk_allocate((size_t)comparison->count + 1, sizeof *group);
  const struct shk_compared *const rows = comparison->rows;
  bool any = false;
  for (int i = 0; i < comparison->count; i++) {
    int count = 0;
    for (int j = 0; is_timed(&rows[i]) && j < comparison->count; j++)
      if (is_timed(&rows[j]) && same_group(&rows[i], &rows[j]))
        group[count++] = &rows[j];
    if (count == 0 || group[0] != &rows[i])
      continue;
    if (!any)
      fprintf(file, "%sSeconds are not gated. New over old:\n", prefix);
    any = true;
    print_group(file, prefix, group, count);
  }
  free(group);
}
