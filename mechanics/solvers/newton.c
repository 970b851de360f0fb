/*
 * solver=newton: Newton's method with the matrix drift·kick·G(q1) M⁻¹ G(q0)ᵀ, factored at every
 * iterate; in quad with factors in double (in_double.h) as long as they reduce the residual.
 * Systems for which there is a special solver (special.h) are solved by that.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/special.h"

/* Tries each special solver in turn; solver->self stays NULL if none applies. */
static struct shk_status create_special(struct shk_solver *solver, const struct shk_binding *b)
{
  const struct shk_system *system = b->evaluator->system;
  const bool absolute =
      !b->options || shk_values_choice(b->options, "criterion") == SHK_CRITERION_ABSOLUTE;
  if (!absolute || shk_is_general(system) ||
      (system->features & (SHK_MOMENTUM_CONSTRAINT | SHK_GENERAL_DAE)) != 0)
    return shk_ok();
  const int linear = b->options ? shk_values_choice(b->options, "linear") : (int)SHK_LINEAR_AUTO;
  if (system->m == 1 && (linear == SHK_LINEAR_AUTO || linear == SHK_LINEAR_LU))
    return shk_single_create(solver, b);
  if (!b->options || linear != SHK_LINEAR_AUTO)
    return shk_ok();
  SHK_TRY(shk_triangles_create(solver, b));
  return solver->self ? shk_ok() : shk_tridiagonal_create(solver, b);
}

struct shk_status shk_newton_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  *solver = (struct shk_solver){0};
  SHK_TRY(create_special(solver, b));
  if (solver->self)
    return shk_ok();
  SHK_TRY(shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_OF_OPTIONS));
  return shk_direct_refine(solver->self, b->options);
}
