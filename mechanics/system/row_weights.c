/* Weights of rows of unlike units; see row_weights.h. */
#include "mechanics/system/row_weights.h"

#include <shakedown/vectors.h>

#include <math.h>

/* The factor by which sizes of rows differ that are judged together: that by which a residual may
 * exceed its rounding at the end of a solve (mechanics/solvers/kit/stopping.c). */
#define ALIKE 64

const real *shk_row_weights(const struct shk_evaluator *e, real *weights, real *sizes,
                            const real *values, const real *x)
{
  const int n = e->system->n, m = e->system->m, *const units = e->system->units;
  real largest = 0, least = INFINITY;
  if (m < 2 || e->system->rods)
    return NULL;
  shk_fill(sizes, 0, n);
  for (int k = 0; k < n; k++) {
    real *const size = &sizes[units ? units[k] : 0];
    *size = real_max(*size, real_fabs(x[k]));
  }
  for (int i = 0; i < m; i++) {
    weights[i] = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      weights[i] += real_fabs(values[k]) * sizes[units ? units[e->columns[k]] : 0];
    largest = real_max(largest, weights[i]);
    least = weights[i] > 0 ? real_min(least, weights[i]) : least;
  }
  if (largest <= ALIKE * least)
    return NULL;
  for (int i = 0; i < m; i++)
    weights[i] = weights[i] > 0 ? largest / weights[i] : 1;
  return weights;
}

real shk_rows_norm(const struct shk_evaluator *e, const real *weights, const real *rows)
{
  real largest = 0;
  if (!weights)
    return real_max_norm(rows, e->system->m);
  for (int i = 0; i < e->system->m; i++) {
    const real size = weights[i] * real_fabs(rows[i]);
    if (size != size)
      return size;
    largest = real_max(largest, size);
  }
  return largest;
}

real shk_rows_size(const struct shk_evaluator *e, const real *weights, const real *values,
                   const real *x)
{
  real largest = REAL_SMALLEST / REAL_EPSILON;
  if (!weights)
    return shk_jacobian_size(e, values, x);
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += real_fabs(values[k] * x[e->columns[k]]);
    largest = real_max(largest, weights[i] * sum);
  }
  return largest;
}
