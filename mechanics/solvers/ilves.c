/*
 * solver=ilves: Newton's method on the bond graph. The sparse matrix is factored directly. It is
 * either the matrix at the current iterate or the symmetric matrix at the old point (L.
 * López-Villellas, C. C. K. Mikkelsen et al., Comput. Phys. Commun. 288 (2023) 108742, ILVES-PC; J.
 * Chem. Theory Comput. 21 (2025), ILVES-M and ILVES-F).
 */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"

struct shk_status shk_ilves_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_SPARSE));
  struct shk_direct *d = solver->self;
  d->old_point = shk_values_choice(shk_values_nested(b->options, "solver"), "matrix") != 0;
  return shk_ok();
}
