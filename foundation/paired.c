/* Computes the median of paired measurements. See paired.h. */
#include "foundation/paired.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct shk_median shk_median_of_pairs(double *numbers, int count)
{
  /* the half-width, in standard deviations of a normal distribution */
  const double two_sided_99 = 2.5758;
  qsort(numbers, (size_t)count, sizeof *numbers, by_size);
  const double middle = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
  if (count < SHK_LEAST_PAIRS)
    return (struct shk_median){middle, NAN};
  /* Each number is equally likely to be above or below the true median, like the toss of a coin.
   * The number of heads is count/2, with a standard deviation of sqrt(count)/2. */
  const int rank = (int)floor((count - two_sided_99 * sqrt(count)) / 2), k = rank > 0 ? rank : 1;
  return (struct shk_median){middle, fmax(middle - numbers[k - 1], numbers[count - k] - middle)};
}
