/*
 * Weights for constraint rows that have different units. With weights, each row contributes to a
 * norm of the rows and to its rounding error relative to the row's own size. Without them, a row in
 * m² next to a dimensionless row would be solved only to 1e-16 m², even if the lengths are
 * nanometres.
 */
#ifndef MECHANICS_SYSTEM_ROW_WEIGHTS_H
#define MECHANICS_SYSTEM_ROW_WEIGHTS_H

#include "mechanics/system/evaluate.h"

#include <shakedown/system.h>

/* The inline functions below call these functions if the rows have weights or may have them. */
const real *shk_unlike_row_weights(const struct shk_evaluator *e, real *weights, real *sizes,
                                   const real *values, const real *x);
real shk_weighted_norm(const real *weights, const real *rows, int m);
real shk_weighted_size(const struct shk_evaluator *e, const real *weights, const real *values,
                       const real *x);

/* Returns weights (m) proportional to 1/Σ_k |G_ik| x^_k, where x^_k is the largest |x| among all
 * coordinates that share the unit of x_k. Returns NULL, which means that all weights are 1, if the
 * rows are distances or if these sums differ by at most a factor of 64. Weighted rows have the unit
 * of the row with the largest sum, whose weight is 1. Overwrites sizes (n). */
static inline const real *shk_row_weights(const struct shk_evaluator *e, real *weights, real *sizes,
                                          const real *values, const real *x)
{
  return e->system->m < 2 || e->system->rods ? NULL
                                             : shk_unlike_row_weights(e, weights, sizes, values, x);
}

/* Returns max_i w_i |r_i|, or NaN if an entry is NaN. */
static inline real shk_rows_norm(const struct shk_evaluator *e, const real *weights,
                                 const real *rows)
{
  return weights ? shk_weighted_norm(weights, rows, e->system->m)
                 : real_max_norm(rows, e->system->m);
}

/* Returns max_i w_i Σ_k |G_ik x_k| (shk_jacobian_size). */
static inline real shk_rows_size(const struct shk_evaluator *e, const real *weights,
                                 const real *values, const real *x)
{
  return weights ? shk_weighted_size(e, weights, values, x) : shk_jacobian_size(e, values, x);
}

#endif
