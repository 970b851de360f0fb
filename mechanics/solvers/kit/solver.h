/* The interface between multiplier.c and the solvers for multipliers. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVER_H
#define MECHANICS_SOLVERS_KIT_SOLVER_H

#include <shakedown/bind.h>

/* The solves that shk_kick (solve.h) requires for its two conditions, except for the carries:
 * to->q_carry and to->p_carry receive the unrounded displacements from q0 to q1 and from p0 to p1,
 * and the caller reduces these to rounding errors. The tolerance and the limit of the iteration are
 * already set, and the solves begin it with a rule from stopping.h. The multiplier of `hidden` is
 * zero on entry. */
struct shk_solver {
  void *self;
  struct shk_status (*position)(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick);
  struct shk_status (*hidden)(void *self, struct shk_iteration *iteration,
                              const struct shk_kick *kick);
  bool carries; /* the solver itself reduces the carries to rounding errors */
  int kind;     /* enum shk_solver_kind, never SHK_SOLVER_AUTO; set by shk_solver_create_kind */
};

/* Creates a solver. If the binding's options are NULL, all options have their defaults. Returns
 * SHK_REFUSED, with a reason that names the systems that the solver accepts, if it does not accept
 * this system. */
typedef struct shk_status shk_solver_create(struct shk_solver *solver,
                                            const struct shk_binding *binding);

#endif
