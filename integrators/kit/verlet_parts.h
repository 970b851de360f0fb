/* What the files of stormer_verlet.h share. */
#ifndef INTEGRATORS_KIT_VERLET_PARTS_H
#define INTEGRATORS_KIT_VERLET_PARTS_H

#include <shakedown/integrator.h>
#include <shakedown/solve.h>

struct shk_verlet {
  struct shk_verlet_group *alone; /* makes its steps as a whole; NULL: none does */
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_multiplier_solver *solver;
  bool solver_forms; /* the Jacobians: then they are formed here only if the work is wanted */
  bool forces;       /* false: a separable system without a potential */
  real *const *asks_work;
  real *G0, *G1;
  real *gradient, *dp, *dp_free;
  struct implicit *implicit; /* general systems; NULL: separable */
  /* Separable systems: the last step's end, where `gradient` and, if held_jacobian, G1 were
   * evaluated. A step that begins there, to the bit, does not evaluate them again. */
  bool held, held_jacobian;
  real held_t, *held_q;
  bool begun;                        /* shk_verlet_begin has been called for the step that comes */
  const struct shk_verlet_group *in; /* made the last step; NULL: none did */
};

#define shk_verlet_begin SHK_NAME(shk_verlet_begin)
#define shk_verlet_hold SHK_NAME(shk_verlet_hold)

/* G0 and the gradient at the beginning of a step of a separable system. */
struct shk_status shk_verlet_begin(struct shk_verlet *verlet, const struct shk_state *from);
/* Notes that a step ends at (t,q), where the gradient is and, if `jacobian`, G1. */
void shk_verlet_hold(struct shk_verlet *verlet, const real *q, real t, bool jacobian);

#endif
