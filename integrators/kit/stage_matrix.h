/*
 * Blocks of the dense matrix J (size x size, by rows) of Newton's method for implicit stages. Each
 * function adds factor times a block whose first entry is J[row][column].
 */
#ifndef INTEGRATORS_KIT_STAGE_MATRIX_H
#define INTEGRATORS_KIT_STAGE_MATRIX_H

#include "mechanics/algebra/gauss.h"

#include <shakedown/iteration.h>
#include <shakedown/system.h>

/* Returns the unit of a block of unknowns in Newton's convergence test: the max norm of x (n), or 1
 * if that is 0. */
static inline real shk_size_of(const real *x, int n)
{
  const real size = real_max_norm(x, n);
  return size > 0 ? size : 1;
}

struct shk_stage_matrix {
  real *entries;
  int size;
};

/* Returns J with zero entries. */
static inline struct shk_stage_matrix shk_stage_matrix(real *entries, int size)
{
  shk_fill(entries, 0, size * size);
  return (struct shk_stage_matrix){entries, size};
}

static inline real *shk_stage_row(struct shk_stage_matrix J, int row, int column)
{
  return J.entries + (size_t)row * (size_t)J.size + column;
}

/* Adds the identity of n rows. */
static inline void shk_add_identity(struct shk_stage_matrix J, int row, int column, int n)
{
  for (int i = 0; i < n; i++)
    *shk_stage_row(J, row + i, column + i) += 1;
}

/* Adds factor A (n x n); rows of A are `stride` apart. */
static inline void shk_add_block(struct shk_stage_matrix J, int row, int column, real factor,
                                 const real *A, int stride, int n)
{
  for (int i = 0; i < n; i++) {
    real *out = shk_stage_row(J, row + i, column);
    for (int j = 0; j < n; j++)
      out[j] += factor * A[(size_t)i * (size_t)stride + (size_t)j];
  }
}

/* Adds factor G (m x n), given by its entries; the second function adds factor Gᵀ. */
static inline void shk_add_jacobian(struct shk_stage_matrix J, int row, int column, real factor,
                                    const struct shk_evaluator *e, const real *G)
{
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      *shk_stage_row(J, row + i, column + e->columns[k]) += factor * G[k];
}
static inline void shk_add_jacobian_transposed(struct shk_stage_matrix J, int row, int column,
                                               real factor, const struct shk_evaluator *e,
                                               const real *G)
{
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      *shk_stage_row(J, row + e->columns[k], column + i) += factor * G[k];
}

/* Stores row `row` of A M⁻¹ Bᵀ in out (m); A and B are entries of Jacobians; scratch: n. */
static inline void shk_weighted_row(const struct shk_evaluator *e, real *out, const real *A,
                                    int row, const real *B, real *scratch)
{
  shk_fill(scratch, 0, e->system->n);
  for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++)
    scratch[e->columns[k]] = shk_over_mass(e, A[k], e->columns[k]);
  shk_jacobian_times(e, out, B, scratch);
}

/* The change of Q relative to the size of q ends the iteration, since corrections of Λ have
 * round-off over h². */
static const struct shk_iteration_rule shk_stages_rule = {
    .stops = SHK_BY_CORRECTION,
    .diverged = "the iteration for the stages diverged" SHK_TRY_SMALLER_STEP,
    .stopped = "the iteration for the stages does not converge: correction %g" SHK_TRY_SMALLER_STEP,
    .at_limit = "the iteration for the stages reached its limit: correction %g (limit "
                "%g)" SHK_TRY_SMALLER_STEP};

#endif
