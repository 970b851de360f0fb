/*
 * Factors of the constraint matrix for an iteration that corrects until its residual is small. If
 * the residuals are in quad, the factors can be in double (in_double.h). Each correction then gains
 * about ten digits at a tenth of the cost.
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/in_double.h"

struct shk_refining {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;          /* factors in full precision */
  struct shk_in_double *rough;        /* factors in double; NULL if there are none */
  struct shk_in_double_arrays arrays; /* the matrices and the right side of `rough` */
  bool in_full;                       /* whether this iteration uses factors in full precision */
  bool is_rough;                      /* whether the current factors are in double */
};

/* From this call on, factors are in double unless that slows convergence. Has an effect in quad
 * only. `options` are the method's options, which include `linear`; NULL means the defaults. */
struct shk_status shk_refining_allow_double(struct shk_refining *factors,
                                            struct shk_workspace *workspace,
                                            const struct shk_values *options);
/* Begins an iteration. If `full` is true, it uses only factors in full precision. */
void shk_refining_begin(struct shk_refining *factors, bool full);
/* Switches to full precision if the residual has decreased so much since `before` that Newton's
 * next correction would gain more digits than double has, provided that factors in full precision
 * cost no more. */
void shk_refining_gained(struct shk_refining *factors, real residual, real before);
/* Returns true if factors in full precision cost no more than one more correction. */
bool shk_refining_is_small(const struct shk_refining *factors);
/* Factors K = G_a M⁻¹ G_bᵀ. `again` is true if G_b is the same as in the last call of this
 * iteration. */
struct shk_status shk_refining_factor(struct shk_refining *factors, const real *G_a,
                                      const real *G_b, bool again);
/* Factors G W Gᵀ (shk_linear_factor_metric). */
struct shk_status shk_refining_factor_metric(struct shk_refining *factors, const real *G,
                                             const real *W, int stride);
/* x (m) <- K⁻¹ x, where x may have any order of magnitude. */
void shk_refining_solve(const struct shk_refining *factors, real *x);

#endif
