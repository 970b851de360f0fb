/*
 * Factors of the constraint matrix for an iteration that corrects until its residual is small. In
 * quad they may be in double (in_double.h): each correction then gains about ten digits at a tenth
 * of the cost.
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/in_double.h"

struct shk_refining {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;          /* factors in full precision */
  struct shk_in_double *rough;        /* factors in double; NULL: none */
  struct shk_in_double_arrays arrays; /* the matrices and the right side of `rough` */
  bool in_full;                       /* this iteration uses factors in full precision */
  bool is_rough;                      /* the present factors are in double */
};

/* From now on factors are in double, in quad only, if that does not slow convergence. options: of
 * the method, for `linear`; NULL: the defaults. */
struct shk_status shk_refining_allow_double(struct shk_refining *factors,
                                            struct shk_workspace *workspace,
                                            const struct shk_values *options);
/* Begins an iteration. full: with factors in full precision only. */
void shk_refining_begin(struct shk_refining *factors, bool full);
/* Changes to full precision where the residual has fallen from `before` so far that Newton's next
 * correction gains more digits than double has, if factors in full precision cost no more. */
void shk_refining_gained(struct shk_refining *factors, real residual, real before);
/* True if factors in full precision cost no more than one more correction. */
bool shk_refining_is_small(const struct shk_refining *factors);
/* Factors K = G_a M⁻¹ G_bᵀ. again: G_b is the same as in the last call of this iteration. */
struct shk_status shk_refining_factor(struct shk_refining *factors, const real *G_a,
                                      const real *G_b, bool again);
/* Factors G W Gᵀ (shk_linear_factor_metric). */
struct shk_status shk_refining_factor_metric(struct shk_refining *factors, const real *G,
                                             const real *W, int stride);
/* x (m) <- K⁻¹ x, for x of any order of magnitude. */
void shk_refining_solve(const struct shk_refining *factors, real *x);

#endif
