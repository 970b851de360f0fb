/* The interface between multiplier.c and the multiplier solvers. */
#ifndef MECHANICS_SOLVERS_KIT_SOLVER_H
#define MECHANICS_SOLVERS_KIT_SOLVER_H

#include <shakedown/bind.h>

/* The solves for the two conditions of shk_kick (solve.h). They differ from shk_kick in the
 * carries: to->q_carry and to->p_carry receive the unrounded displacements from q0 to q1 and from
 * p0 to p1, and the caller reduces these to rounding errors. The iteration's tolerance and limit
 * are already set. The solves begin the iteration with a rule from stopping.h. On entry to
 * `hidden`, the multiplier is zero. */
struct shk_solver {
  void *self;
  struct shk_status (*position)(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick);
  struct shk_status (*hidden)(void *self, struct shk_iteration *iteration,
                              const struct shk_kick *kick);
  bool carries; /* true if the solver itself reduces the carries to rounding errors */
  /* a value of enum shk_solver_kind other than SHK_SOLVER_AUTO; set by shk_solver_create_kind */
  int kind;
};

/* Creates a solver. If the binding's options are NULL, all options take their default values. If
 * the solver does not accept the system, returns SHK_REFUSED with a reason that states which
 * systems it accepts. */
typedef struct shk_status shk_solver_create(struct shk_solver *solver,
                                            const struct shk_binding *binding);

#endif
