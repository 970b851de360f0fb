/* The interface of a solver for multipliers to multiplier.c, and the list of them. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVER_H
#define MECHANICS_SOLVERS_KIT_SOLVER_H

#include <shakedown/bind.h>

enum shk_solver_kind {
#define SHK_SOLVER(enumerator, ...) SHK_SOLVER_##enumerator,
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
  SHK_SOLVER_OWN /* a plug-in's */
};

/* Traits of a solver: the systems that it takes, and how it solves. */
enum {
  SHK_SOLVES_GENERAL = 1 << 0,            /* also systems that are not separable */
  SHK_SOLVES_WITHOUT_LINEAR = 1 << 1,     /* it does not use the option `linear` */
  SHK_SOLVES_ONCE = 1 << 2,               /* one solve, without a check of the constraint */
  SHK_SOLVES_HIDDEN_TO_TOLERANCE = 1 << 3 /* the others solve it to round-off */
};

unsigned shk_solver_traits(int kind);

/* The solves of shk_kick (solve.h) for its two conditions, except for the carries: to->q_carry and
 * to->p_carry receive the unrounded displacements from q0 to q1 and from p0 to p1, which the caller
 * reduces. The solves begin the iteration, whose tolerance and limit are set, with a rule of
 * stopping.h. The multiplier of `hidden` is zero on entry. */
struct shk_solver {
  void *self;
  struct shk_status (*position)(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick);
  struct shk_status (*hidden)(void *self, struct shk_iteration *iteration,
                              const struct shk_kick *kick);
  bool carries;              /* it leaves the carries themselves */
  enum shk_solver_kind kind; /* set by shk_solver_create_kind: never SHK_SOLVER_AUTO */
};

/* Creates a solver. If the binding's options are NULL, with their defaults.
 * SHK_REFUSED, with the systems that it is for, if the system is none of them. */
typedef struct shk_status shk_solver_create(struct shk_solver *solver,
                                            const struct shk_binding *binding);

#define SHK_SOLVER(enumerator, word, ...) shk_solver_create shk_##word##_solver_create;
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
/* Creates a plug-in's solver. */
shk_solver_create shk_own_solver_create;
/* Creates a solver by its kind; with auto, the one that it chooses. */
struct shk_status shk_solver_create_kind(struct shk_solver *solver, enum shk_solver_kind kind,
                                         const struct shk_binding *binding);

/* True if a solver of shk_solver_choices has this name. */
bool shk_is_built_in_solver(const char *name);

#endif
