/* The constraint matrix as a dense one: what lu, cholesky and tikhonov factor. */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_DENSE_MATRIX_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_DENSE_MATRIX_H

#include <shakedown/system.h>
#include <shakedown/values.h>
#include <shakedown/workspace.h>

struct shk_dense {
  const struct shk_evaluator *evaluator;
  int m;
  real *matrix;    /* m x m */
  real *scattered; /* n: a row of G_a over M */
  real *diagonal;  /* m: of the matrix before it is factored, or its moduli */
  int *pivots;     /* m */
  real *columns;   /* n x m: of G_b, where all rows of G are full; NULL: they are not */
  real added;      /* to the diagonal */
};

/* Members of struct shk_factorization; *dense is a struct shk_dense. */
struct shk_status shk_dense_create(void **dense, struct shk_workspace *workspace,
                                   const struct shk_evaluator *evaluator,
                                   const struct shk_values *own);
struct shk_status shk_dense_factor_lu(void *dense, const real *G_a, const real *G_b, bool again);
void shk_dense_solve_lu(void *dense, real *x);

/* Factors the matrix that was assembled; `singular`: the reason of the failure. */
struct shk_status shk_dense_lu(struct shk_dense *dense, const char *singular);
/* matrix <- G_a M⁻¹ G_bᵀ + added·1, and its diagonal. */
void shk_dense_assemble(struct shk_dense *dense, const real *G_a, const real *G_b);
/* matrix <- G W Gᵀ; diagonal <- the sums of moduli for its diagonal, which bound the round-off
 * there: W need not be definite, and terms of the diagonal may cancel.
 */
void shk_dense_assemble_metric(struct shk_dense *dense, const real *G, const real *W, int stride);

#endif
