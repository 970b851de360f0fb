/* A solver for multipliers, as multiplier.c sees it, and the list of them. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVER_H
#define MECHANICS_SOLVERS_KIT_SOLVER_H

#include <shakedown/iteration.h>
#include <shakedown/solve.h>

enum shk_solver_kind {
#define SHK_SOLVER(enumerator, ...) SHK_SOLVER_##enumerator,
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
  SHK_SOLVER_OWN /* of a plug-in */
};

/* What a solver can take, and how it solves. */
enum {
  SHK_SOLVES_GENERAL = 1 << 0,            /* also systems that are not separable */
  SHK_SOLVES_WITHOUT_LINEAR = 1 << 1,     /* it does not use the option `linear` */
  SHK_SOLVES_ONCE = 1 << 2,               /* and does not check the constraint */
  SHK_SOLVES_HIDDEN_TO_TOLERANCE = 1 << 3 /* the others solve it to round-off */
};

unsigned shk_solver_traits(int kind);

/* Both solves are as solve.h says of shk_solve_position and shk_solve_hidden, which complete what
 * they leave: of a position solve lambda, dp, p1, q1 and, in q1_carry, the way from q to q1 before it
 * is rounded; of a hidden solve mu, which begins at zero, dp, p1 and likewise p1_carry. The iteration comes with its tolerance and limit, and
 * they begin it with a rule of stopping.h; they count iterations and evaluations in the evaluator
 * they were created with. */
struct shk_solver {
  void *self; /* NULL: it does not take this system */
  struct shk_status (*position)(void *self, struct shk_iteration *iteration,
                                const struct shk_position_solve *task);
  struct shk_status (*hidden)(void *self, struct shk_iteration *iteration,
                              const struct shk_hidden_solve *task);
};

/* `options`: NULL for their defaults. */
typedef struct shk_status shk_solver_create(struct shk_solver *solver,
                                            struct shk_workspace *workspace,
                                            struct shk_evaluator *e,
                                            const struct shk_values *options);

#define SHK_SOLVER(enumerator, word, ...) shk_solver_create shk_##word##_solver_create;
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
/* That of a plug-in. */
shk_solver_create shk_own_solver_create;

/* A solver for rods, with its struct; why: the status of its last solve, which counts if it is not OK
 * (NULL: it has none). */
struct shk_own_solver {
  const struct shk_rod_solver *solver;
  void *self;
  const struct shk_status *why;
};
struct shk_status shk_solve_by(struct shk_solver *solver, const struct shk_own_solver *its,
                               struct shk_workspace *workspace, struct shk_evaluator *e,
                               const struct shk_values *options);

#endif
