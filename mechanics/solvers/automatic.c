/*
 * solver=auto: selects the first of these solvers that accepts the system. The specialized solvers
 * solve the same equations faster. Because they use their own factorization and stopping criterion,
 * they are selected only if the options request neither.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/solvers/kit/solvers.h"

/* Smallest number of bonds for which tridiagonal elimination pays off. */
enum { FEWEST_BONDS = 9 };

static bool is_left_open(const struct shk_values *options)
{
  return !options || (shk_values_choice(options, "criterion") == SHK_CRITERION_ABSOLUTE &&
                      shk_values_choice(options, "linear") == SHK_LINEAR_AUTO);
}

struct shk_status shk_automatic_solver_create(struct shk_solver *solver,
                                              const struct shk_binding *b)
{
  const struct shk_system *const s = b->evaluator->system;
  if (s->rods && !shk_is_general(s) && is_left_open(b->options)) {
    struct shk_status status = shk_solver_create_kind(solver, SHK_SOLVER_SETTLE, b);
    if (status.code == SHK_REFUSED && s->m >= FEWEST_BONDS)
      status = shk_solver_create_kind(solver, SHK_SOLVER_TRIDIAGONAL, b);
    if (status.code != SHK_REFUSED)
      return status;
  }
  return shk_solver_create_kind(solver, SHK_SOLVER_NEWTON, b);
}
