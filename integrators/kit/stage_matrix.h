/*
 * Assembles the dense matrix J (size x size, row-major) that Newton's method uses for implicit
 * stages. Each function adds a block whose first entry is J[row][column], multiplied by `factor` if
 * the function has this argument.
 */
#ifndef INTEGRATORS_KIT_STAGE_MATRIX_H
#define INTEGRATORS_KIT_STAGE_MATRIX_H

#include "mechanics/algebra/gauss.h"

#include <shakedown/iteration.h>
#include <shakedown/system.h>

/* Returns the unit in which Newton's convergence test measures a block of unknowns: the max norm of
 * x (n), or 1 if that norm is 0. */
static inline real shk_size_of(const real *x, int n)
{
  const real size = real_max_norm(x, n);
  return size > 0 ? size : 1;
}

struct shk_stage_matrix {
  real *entries;
  int size;
};

/* Sets all entries of J to zero and returns J. */
static inline struct shk_stage_matrix shk_stage_matrix(real *entries, int size)
{
  shk_fill(entries, 0, size * size);
  return (struct shk_stage_matrix){entries, size};
}

static inline real *shk_stage_row(struct shk_stage_matrix J, int row, int column)
{
  return J.entries + (size_t)row * (size_t)J.size + column;
}

/* Adds the n x n identity. */
static inline void shk_add_identity(struct shk_stage_matrix J, int row, int column, int n)
{
  for (int i = 0; i < n; i++)
    *shk_stage_row(J, row + i, column + i) += 1;
}

/* Adds `factor` times A (n x n), whose rows are `stride` apart. */
static inline void shk_add_block(struct shk_stage_matrix J, int row, int column, real factor,
                                 const real *A, int stride, int n)
{
  for (int i = 0; i < n; i++) {
    real *out = shk_stage_row(J, row + i, column);
    for (int j = 0; j < n; j++)
      out[j] += factor * A[(size_t)i * (size_t)stride + (size_t)j];
  }
}

/* The first function adds `factor` times G (m x n), which is given by the entries of its pattern.
 * The second adds `factor` times Gᵀ. */
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

/* Computes row `row` of A M⁻¹ Bᵀ and stores it in `out` (m). A and B contain the entries of
 * Jacobians. `scratch` has n entries. */
static inline void shk_weighted_row(const struct shk_evaluator *e, real *out, const real *A,
                                    int row, const real *B, real *scratch)
{
  shk_fill(scratch, 0, e->system->n);
  for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++)
    scratch[e->columns[k]] = shk_over_mass(e, A[k], e->columns[k]);
  shk_jacobian_times(e, out, B, scratch);
}

/* The change in Q relative to the size of q determines when the iteration ends, because the
 * corrections to Λ contain round-off divided by h². */
static const struct shk_iteration_rule shk_stages_rule = {
    .stops = SHK_BY_CORRECTION,
    .diverged = "the iteration for the stages diverged" SHK_TRY_SMALLER_STEP,
    .stopped = "the iteration for the stages does not converge: correction %g" SHK_TRY_SMALLER_STEP,
    .at_limit = "the iteration for the stages reached its limit: correction %g (limit "
                "%g)" SHK_TRY_SMALLER_STEP};

#endif
