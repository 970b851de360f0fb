/* The solvers of rods, compiled for the vectors in use. */
#include "foundation/vector_sets.h"
#include "mechanics/solvers/rods/special.h"

#if SHK_PRECISION == 64
#define DECLARED(set) shk_solver_create shk_clusters_create_f64_##set, shk_chains_create_f64_##set;
#define COMPILED(set) {shk_clusters_create_f64_##set, shk_chains_create_f64_##set},
SHK_VECTOR_SETS(DECLARED)
#else
#define COMPILED(set) {shk_clusters_create, shk_chains_create}, /* no vector holds these numbers */
#endif

static const struct {
  shk_solver_create *clusters, *chains;
} solvers[SHK_VECTOR_SET_COUNT] = {{shk_clusters_create, shk_chains_create},
                                   SHK_VECTOR_SETS(COMPILED)};

struct shk_status shk_rods_create(struct shk_solver *solver, struct shk_workspace *workspace,
                                  struct shk_evaluator *e, const struct shk_values *options)
{
  const enum shk_vector_set set = shk_vectors();
  SHK_TRY(solvers[set].clusters(solver, workspace, e, options));
  return solver->self ? shk_ok() : solvers[set].chains(solver, workspace, e, options);
}
