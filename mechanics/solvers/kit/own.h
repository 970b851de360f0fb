/* External solvers, which are provided by plug-ins and programs. */
#ifndef MECHANICS_SOLVERS_KIT_OWN_H
#define MECHANICS_SOLVERS_KIT_OWN_H

#include "mechanics/solvers/kit/solver.h"

/* An external solver for distance constraints, together with its struct. */
struct shk_own_solver {
  const struct shk_rod_solver *solver;
  void *self;
};
struct shk_status shk_solve_by(struct shk_solver *solver, const struct shk_own_solver *outside,
                               const struct shk_binding *binding);

#endif
