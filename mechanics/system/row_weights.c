/* Computes weights for rows with different units. See row_weights.h. */
#include "mechanics/system/row_weights.h"

#include <shakedown/parts/real.h>

#include <math.h>

/* Rows whose sizes differ by at most this factor are not weighted. At the end of a solve, a
 * residual may exceed its rounding error by the same factor (at_rest in shakedown/iteration.h). */
#define ALIKE 64

/* Stores the largest |x| of each coordinate group in `sizes`. */
static void find_sizes(const struct shk_system *system, real *sizes, const real *x)
{
  shk_fill(sizes, 0, system->n);
  for (int k = 0; k < system->n; k++)
    sizes[system->units[k]] = real_max(sizes[system->units[k]], real_fabs(x[k]));
}

const real *shk_unlike_row_weights(const struct shk_evaluator *e, real *weights, real *sizes,
                                   const real *values, const real *x)
{
  const int m = e->system->m, *const units = e->system->units;
  real largest = 0, least = INFINITY;
  if (units)
    find_sizes(e->system, sizes, x);
  for (int i = 0; i < m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += real_fabs(values[k]) * (units ? sizes[units[e->columns[k]]] : 1);
    weights[i] = sum;
    largest = real_max(largest, sum);
    least = sum > 0 ? real_min(least, sum) : least;
  }
  if (largest <= ALIKE * least)
    return NULL;
  for (int i = 0; i < m; i++)
    weights[i] = weights[i] > 0 ? largest / weights[i] : 1;
  return weights;
}

real shk_weighted_norm(const real *weights, const real *rows, int m)
{
  real largest = 0;
  for (int i = 0; i < m; i++) {
    const real size = weights[i] * real_fabs(rows[i]);
    if (size != size)
      return size;
    largest = real_max(largest, size);
  }
  return largest;
}

real shk_weighted_size(const struct shk_evaluator *e, const real *weights, const real *values,
                       const real *x)
{
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += real_fabs(values[k] * x[e->columns[k]]);
    largest = real_max(largest, weights[i] * sum);
  }
  return largest;
}
