/* The solvers of rods, compiled for the vectors in use. */
#include "mechanics/algebra/vectors_name.h"
#include "mechanics/solvers/rods/special.h"

static shk_solver_create *clusters_in_use(void), *chains_in_use(void);
SHK_IN_USE(clusters_in_use, shk_solver_create, shk_clusters_create)
SHK_IN_USE(chains_in_use, shk_solver_create, shk_chains_create)

struct shk_status shk_rods_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                  struct shk_evaluator *e, const struct shk_values *options)
{
  SHK_TRY(clusters_in_use()(solver, workspace, e, options));
  return solver->self ? shk_ok() : chains_in_use()(solver, workspace, e, options);
}
