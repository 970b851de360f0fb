/*
 * solver=m-shake: Newton's method with one dense matrix per molecule. A molecule is a connected
 * component of the constraint graph (V. Kräutler, W. F. van Gunsteren & P. H. Hünenberger, J.
 * Comput. Chem. 22 (2001) 501, eq. 12: the equations of SHAKE without their quadratic terms, solved
 * as a linear system at every iterate).
 */
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/solvers.h"

struct shk_status shk_m_shake_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  return shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_BLOCK);
}
