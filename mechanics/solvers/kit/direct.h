/* The common part of solvers that factor the constraint matrix. */
#ifndef MECHANICS_SOLVERS_KIT_DIRECT_H
#define MECHANICS_SOLVERS_KIT_DIRECT_H

#include "mechanics/algebra/factorizations/refining.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solver.h"

struct shk_direct {
  struct shk_residuals at;
  struct shk_refining factors;
  real *G1; /* values of G at the present q1 */
  /* Position solves use the matrix of the old point, factored once, and the rule of linear
   * convergence. Otherwise the matrix is factored at every iterate, unless the factorization takes
   * symmetric matrices only. */
  bool old_point;
};

/* Creates a solver from the two solves below. size: size of its struct, which begins with a
 * struct shk_direct and is zeroed. kind: the factorization; SHK_LINEAR_OF_OPTIONS: by the
 * option `linear`. */
#define SHK_LINEAR_OF_OPTIONS SHK_LINEAR_COUNT
struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    const struct shk_binding *binding, enum shk_linear_kind kind);
/* Adds K⁻¹ g / (drift·by) to lambda, with the present factors; at.residual then has this step. */
void shk_direct_correct(struct shk_direct *d, const struct shk_kick *kick);
/* The position solve by Newton's iteration. */
struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_kick *kick);
/* Makes one iteration of the position solve; `first`: the first one, whose G(q0) is not yet factored. */
struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_kick *kick, bool first);

/* Factors the matrix of the hidden constraint: G1 M⁻¹ G1ᵀ, or G1 H_pp(q1,p1) G1ᵀ. */
struct shk_status shk_direct_factor_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* Corrects mu and dp for the residual, with the present factors. */
void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* The hidden solve. It is linear for separable systems: the first pass solves, the others refine to
 * round-off. For general systems it is Newton's method. */
struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_kick *kick);

#endif
