/* Code shared by all solvers that factor the constraint matrix. */
#ifndef MECHANICS_SOLVERS_KIT_DIRECT_H
#define MECHANICS_SOLVERS_KIT_DIRECT_H

#include "mechanics/algebra/factorizations/refining.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solver.h"

struct shk_direct {
  struct shk_residuals at;
  struct shk_refining factors;
  real *G1; /* values of G at the current q1 */
  /* True if position solves factor the matrix of the old point once and use the stopping rule for
   * linear convergence. Otherwise, the matrix is factored at every iterate, unless the
   * factorization accepts only symmetric matrices. */
  bool old_point;
};

/* Creates a solver from the two solves below. `size` is the size of the solver's struct, which
 * begins with a struct shk_direct and is initialized to zero. `kind` is the factorization.
 * SHK_LINEAR_OF_OPTIONS selects the one named by the option `linear`. */
#define SHK_LINEAR_OF_OPTIONS SHK_LINEAR_COUNT
struct shk_status shk_direct_create(struct shk_solver *solver, size_t size,
                                    const struct shk_binding *binding, enum shk_linear_kind kind);
/* Uses the current factors to compute the correction K⁻¹ g / (drift·by), and adds it to lambda. The
 * correction is also stored in at.residual. */
void shk_direct_correct(struct shk_direct *d, const struct shk_kick *kick);
/* Performs the position solve by Newton's method. */
struct shk_status shk_direct_position(void *direct, struct shk_iteration *iteration,
                                      const struct shk_kick *kick);
/* Performs one iteration of the position solve. `first` must be true in the first iteration, before
 * G(q0) has been factored. */
struct shk_status shk_direct_newton(struct shk_direct *d, const struct shk_kick *kick, bool first);

/* Factors the matrix of the hidden constraint, G1 M⁻¹ G1ᵀ or G1 H_pp(q1,p1) G1ᵀ. */
struct shk_status shk_direct_factor_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* Uses the current factors to correct mu and dp according to the residual. */
void shk_direct_correct_hidden(struct shk_direct *d, const struct shk_kick *kick);
/* Solves the hidden constraint. For separable systems, the equation is linear, so the first pass
 * solves it and later passes refine the solution to round-off. For general systems, this is
 * Newton's method. */
struct shk_status shk_direct_hidden(void *direct, struct shk_iteration *iteration,
                                    const struct shk_kick *kick);

#endif
