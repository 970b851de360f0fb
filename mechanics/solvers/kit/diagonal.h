/* Computes diagonal entries of the constraint matrix. */
#ifndef MECHANICS_SOLVERS_KIT_DIAGONAL_H
#define MECHANICS_SOLVERS_KIT_DIAGONAL_H

#include <shakedown/system.h>

/* Returns K_ii for K = G_a M⁻¹ G_bᵀ. */
static inline real shk_own_entry(const struct shk_evaluator *e, const real *G_a, const real *G_b,
                                 int i)
{
  real sum = 0;
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    sum += shk_over_mass(e, G_a[k] * G_b[k], e->columns[k]);
  return sum;
}

#endif
