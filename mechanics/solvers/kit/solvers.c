/* The list of multiplier solvers. See solvers.h. */
#include "mechanics/solvers/kit/solvers.h"

static const struct {
  shk_solver_create *create;
  unsigned traits;
} table[] = {
#define SHK_SOLVER(enumerator, word, name, traits, ...) {shk_##word##_solver_create, traits},
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
    [SHK_SOLVER_OWN] = {shk_own_solver_create, SHK_SOLVES_WITHOUT_LINEAR}};

unsigned shk_solver_traits(int kind)
{
  return table[kind].traits;
}

struct shk_status shk_solver_create_kind(struct shk_solver *solver, enum shk_solver_kind kind,
                                         const struct shk_binding *binding)
{
  const struct shk_status status = table[kind].create(solver, binding);
  if (solver->kind == SHK_SOLVER_AUTO)
    solver->kind = kind;
  return status;
}
