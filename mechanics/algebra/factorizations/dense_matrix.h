/* The dense constraint matrix that lu, cholesky and tikhonov factor. */
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
  real *diagonal;  /* m: the matrix's before it is factored, or sums of moduli */
  int *pivots;     /* m */
  real *columns;   /* n x m: G_b by columns if all rows of G are full, else NULL */
  real added;      /* to every diagonal entry */
};

/* Members of struct shk_factorization; *dense is a struct shk_dense. */
struct shk_status shk_dense_create(void **dense, struct shk_workspace *workspace,
                                   const struct shk_evaluator *evaluator,
                                   const struct shk_values *own);
struct shk_status shk_dense_factor_lu(void *dense, const real *G_a, const real *G_b, bool again);
void shk_dense_solve_lu(void *dense, real *x);

/* Factors the assembled matrix; `singular`: the reason that a failure gives. */
struct shk_status shk_dense_lu(struct shk_dense *dense, const char *singular);
/* matrix <- G_a M⁻¹ G_bᵀ + added·1; diagonal <- its diagonal. */
void shk_dense_assemble(struct shk_dense *dense, const real *G_a, const real *G_b);
/* matrix <- G W Gᵀ; diagonal <- the sums of moduli of its diagonal entries. They bound the
 * round-off there: W need not be definite, and terms of the diagonal may cancel. */
void shk_dense_assemble_metric(struct shk_dense *dense, const real *G, const real *W, int stride);

#endif
