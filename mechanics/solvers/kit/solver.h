/* The interface of a solver for multipliers to multiplier.c. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVER_H
#define MECHANICS_SOLVERS_KIT_SOLVER_H

#include <shakedown/bind.h>

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
  bool carries; /* it reduces the carries to the rounding itself */
  int kind;     /* enum shk_solver_kind, never SHK_SOLVER_AUTO; set by shk_solver_create_kind */
};

/* Creates a solver. If the binding's options are NULL, with their defaults.
 * SHK_REFUSED, with the systems that it is for, if the system is none of them. */
typedef struct shk_status shk_solver_create(struct shk_solver *solver,
                                            const struct shk_binding *binding);

#endif
