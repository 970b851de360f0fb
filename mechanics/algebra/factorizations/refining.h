/*
 * Factors of the constraint matrix for an iteration that applies corrections until its residual is
 * small. If the residuals are computed in quad, double-precision factors suffice (in_double.h).
 * Each correction then gains about ten digits at a tenth of the cost.
 */
#ifndef MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H
#define MECHANICS_ALGEBRA_FACTORIZATIONS_REFINING_H

#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/in_double.h"

struct shk_refining {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;          /* factors in full precision */
  struct shk_in_double *rough;        /* factors in double; NULL if there are none */
  struct shk_in_double_arrays arrays; /* the matrices and right-hand side of `rough` */
  bool in_full;                       /* whether this iteration uses factors in full precision */
  bool is_rough;                      /* whether the current factors are in double */
};

/* From this call on, the factors are in double unless that slows convergence. This has no effect
 * except in quad. `options` contains the method's options, including `linear`; NULL selects the
 * defaults. */
struct shk_status shk_refining_allow_double(struct shk_refining *factors,
                                            struct shk_workspace *workspace,
                                            const struct shk_values *options);
/* Begins an iteration. If `full` is true, the iteration uses only full-precision factors. */
void shk_refining_begin(struct shk_refining *factors, bool full);
/* Switches to full precision if the residual has decreased so much since `before` that the next
 * Newton correction would gain more digits than double precision provides. Does so only if
 * factoring in full precision costs no more. */
void shk_refining_gained(struct shk_refining *factors, real residual, real before);
/* Returns true if factoring in full precision costs no more than one additional correction. */
bool shk_refining_is_small(const struct shk_refining *factors);
/* Factors K = G_a M⁻¹ G_bᵀ. `again` is true if G_b is unchanged since the last call in this
 * iteration. */
struct shk_status shk_refining_factor(struct shk_refining *factors, const real *G_a,
                                      const real *G_b, bool again);
/* Factors G W Gᵀ (shk_linear_factor_metric). */
struct shk_status shk_refining_factor_metric(struct shk_refining *factors, const real *G,
                                             const real *W, int stride);
/* x (m) <- K⁻¹ x, where x may have any order of magnitude. */
void shk_refining_solve(const struct shk_refining *factors, real *x);

#endif
