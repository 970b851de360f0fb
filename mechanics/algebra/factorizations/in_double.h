/*
 * A double-precision factorization of K = G_a M⁻¹ G_bᵀ, for iterations whose residuals are computed
 * in quad. Each correction multiplies the residual by about 1e-16 times the condition number of K.
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_IN_DOUBLE_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_IN_DOUBLE_H

#include <shakedown/parts/status.h>
#include <shakedown/parts/workspace.h>

struct shk_in_double;

/* The sparsity pattern and the n masses of a separable system. */
struct shk_in_double_system {
  int n, m;
  const int *row_start, *columns;
  const double *mass;
};

/* Arrays that the caller fills with the values of the Jacobians and with a right-hand side. */
struct shk_in_double_arrays {
  /* row_start[m] entries per Jacobian, and m entries for the right-hand side */
  double *G_a, *G_b, *x;
};

/* `kind` is a value of enum shk_linear_kind. The caller retains ownership of the system's
 * arrays. */
struct shk_status shk_in_double_create(struct shk_in_double **factors,
                                       struct shk_in_double_arrays *arrays,
                                       struct shk_workspace *workspace,
                                       const struct shk_in_double_system *system, int kind);
/* Factors K from the values of G_a and G_b in the arrays above. `same` means that G_b is G_a.
 * Returns false if K is singular, is outside the range of double, or is so ill-conditioned that a
 * correction would gain fewer than ten digits. */
bool shk_in_double_factor(struct shk_in_double *factors, bool same);
/* x <- K⁻¹ x */
void shk_in_double_solve(struct shk_in_double *factors);

/* Like shk_lu_factor and shk_lu_solve, but in double. */
bool shk_in_double_lu_factor(double *a, int *pivots, int n);
void shk_in_double_lu_solve(double *x, const double *a, const int *pivots, int n);

#endif
