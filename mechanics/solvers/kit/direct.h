/* The common part of solvers that factor the constraint matrix. */
#ifndef MECHANICS_SOLVERS_KIT_DIRECT_H
#define MECHANICS_SOLVERS_KIT_DIRECT_H

#include "mechanics/algebra/factorizations/refining.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solver.h"

struct shk_direct {
  struct shk_residuals at;
  struct shk_refining factors;
  real *G1; /* values of G at the current q1 */
  /* True if position solves use the matrix of the old point, factored once, and the stopping rule
   * for linear convergence. Otherwise the matrix is factored at every iterate, unless the
   * factorization accepts only symmetric matrices. */
  bool old_point;
};

/* Creates a solver from the two solves below. `size` is the size of its struct, which begins with a
 * struct shk_direct and is zeroed. `kind` is the factorization, or SHK_LINEAR_OF_OPTIONS for the
 * one that the option `linear` names. */
#define SHK_LINEAR_OF_OPTIONS SHK_LINEAR_COUNT
struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    const struct shk_binding *binding, enum shk_linear_kind kind);
/* Adds K⁻¹ g / (drift·by) to lambda, using the current factors, and leaves this correction in
 * at.residual. */
void shk_direct_correct(struct shk_direct *d, const struct shk_kick *kick);
/* Solves for positions by Newton's method. */
struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_kick *kick);
/* Makes one iteration of the position solve. In the first iteration, `first` is true and G(q0) is
 * not yet factored. */
struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_kick *kick, bool first);

/* Factors the matrix of the hidden constraint, G1 M⁻¹ G1ᵀ or G1 H_pp(q1,p1) G1ᵀ. */
struct shk_status shk_direct_factor_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* Corrects mu and dp for the residual, using the current factors. */
void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* Solves the hidden constraint. The equation is linear for separable systems, so the first pass
 * solves it and the others refine the solution to round-off. For general systems this is Newton's
 * method. */
struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_kick *kick);

#endif
