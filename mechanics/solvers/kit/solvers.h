/* The list of multiplier solvers. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVERS_H
#define MECHANICS_SOLVERS_KIT_SOLVERS_H

#include "mechanics/solvers/kit/solver.h"

enum shk_solver_kind {
#define SHK_SOLVER(enumerator, ...) SHK_SOLVER_##enumerator,
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
  SHK_SOLVER_OWN /* a plug-in's */
};

/* Traits of a solver, which describe the systems it accepts and how it solves the equations. */
enum {
  SHK_SOLVES_GENERAL = 1 << 0,        /* also accepts systems that are not separable */
  SHK_SOLVES_WITHOUT_LINEAR = 1 << 1, /* does not use the option `linear` */
  /* performs a single solve and does not check the constraint */
  SHK_SOLVES_ONCE = 1 << 2,
  /* solves the hidden constraint to the tolerance; all other solvers solve it to round-off */
  SHK_SOLVES_HIDDEN_TO_TOLERANCE = 1 << 3
};

unsigned shk_solver_traits(int kind);

#define SHK_SOLVER(enumerator, word, ...) shk_solver_create shk_##word##_solver_create;
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
/* Creates a plug-in's solver. */
shk_solver_create shk_own_solver_create;
/* Creates a solver of this kind. For auto, creates the solver that auto selects. */
struct shk_status shk_solver_create_kind(struct shk_solver *solver, enum shk_solver_kind kind,
                                         const struct shk_binding *binding);

/* Returns true if shk_solver_choices contains a solver with this name. */
bool shk_is_built_in_solver(const char *name);

#endif
