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
  real *scattered; /* n: a row of G_a M⁻¹ */
  /* m: the diagonal before factoring, or the sums of the absolute values of its terms */
  real *diagonal;
  int *pivots;   /* m */
  real *columns; /* n x m: G_b by columns if all rows of G are full, else NULL */
  real added;    /* number added to every diagonal entry */
};

/* A member of struct shk_factorization. *dense is a struct shk_dense. */
struct shk_status shk_dense_create(void **dense, struct shk_workspace *workspace,
                                   const struct shk_evaluator *evaluator,
                                   const struct shk_values *own);
struct shk_status shk_dense_factor_lu(void *dense, const real *G_a, const real *G_b, bool again);
void shk_dense_solve_lu(void *dense, real *x);

/* Factors the assembled matrix. `singular` is the reason to report if a pivot is zero. */
struct shk_status shk_dense_lu(struct shk_dense *dense, const char *singular);
/* Stores G_a M⁻¹ G_bᵀ + added·1 in `matrix`, and its diagonal in `diagonal`. */
void shk_dense_assemble(struct shk_dense *dense, const real *G_a, const real *G_b);
/* Stores G W Gᵀ in `matrix`. For each diagonal entry, stores the sum of the absolute values of its
 * terms in `diagonal`. This bounds its round-off, because W need not be definite and terms may
 * cancel. */
void shk_dense_assemble_metric(struct shk_dense *dense, const real *G, const real *W, int stride);

#endif
