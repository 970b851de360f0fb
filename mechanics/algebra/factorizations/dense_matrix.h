/* The dense constraint matrix that lu, cholesky and tikhonov factor. */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_DENSE_MATRIX_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_DENSE_MATRIX_H

#include <shakedown/parts/values.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_dense {
  const struct shk_evaluator *evaluator;
  int m;
  real *matrix;    /* m x m */
  real *scattered; /* n entries: a row of G_a M⁻¹ */
  /* m entries: the diagonal before factoring, or for each entry the sum of the absolute values of
   * its terms */
  real *diagonal;
  int *pivots; /* m */
  /* n x m array that contains G_b in column-major order if all rows of G are full; otherwise
   * NULL */
  real *columns;
  real added; /* value added to every diagonal entry */
};

/* Used as a member of struct shk_factorization. *dense is a struct shk_dense. */
struct shk_status shk_dense_create(void **dense, struct shk_workspace *workspace,
                                   const struct shk_evaluator *evaluator,
                                   const struct shk_values *own);
struct shk_status shk_dense_factor_lu(void *dense, const real *G_a, const real *G_b, bool again);
void shk_dense_solve_lu(void *dense, real *x);

/* Factors the assembled matrix. If a pivot is zero, the failure reports `singular` as its
 * reason. */
struct shk_status shk_dense_lu(struct shk_dense *dense, const char *singular);
/* Stores G_a M⁻¹ G_bᵀ + added·1 in `matrix`, and its diagonal in `diagonal`. */
void shk_dense_assemble(struct shk_dense *dense, const real *G_a, const real *G_b);
/* Stores G W Gᵀ in `matrix`, and the sum of the absolute values of the terms of each diagonal entry
 * in `diagonal`. This sum bounds the entry's round-off, because W need not be definite and terms
 * may cancel. */
void shk_dense_assemble_metric(struct shk_dense *dense, const real *G, const real *W, int stride);

#endif
