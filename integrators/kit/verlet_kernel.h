/*
 * A step of Störmer-Verlet with constraints (stormer_verlet.h) in several systems at once, one in each
 * lane of a vector: separable systems of the same size and pattern with few constraints, Newton's method
 * with a dense LU of every iterate. Callbacks are called lane by lane. A lane has the bits and the
 * counters of the same step alone, or it is left to that: where an iteration does anything else than
 * fall to its tolerance or to round-off, or a matrix is singular. A callback that fails ends the step.
 */
#ifndef INTEGRATORS_KIT_VERLET_KERNEL_H
#define INTEGRATORS_KIT_VERLET_KERNEL_H

#include <shakedown/integrator.h>
#include <shakedown/solve.h>

/* The sizes of systems for which arrays have room: 2 to N coordinates, …; the most constraints of a system
 * in a lane alone. */
enum {
  SHK_LANES_N = 24,
  SHK_LANES_M = 8,
  SHK_LANES_ENTRIES = 64,
  SHK_LANES_PADDING = 8,
  SHK_LANES_ALONE = 4
};

/* A system in its lane. */
struct shk_verlet_lane {
  struct shk_evaluator *evaluator;
  /* Of a step. States are of shk_state_init, one block. */
  const struct shk_state *from;
  struct shk_state *to;          /* NULL: none in this lane */
  const real *gradient, *G0;     /* where it begins; gradient NULL: no forces */
  bool gradient_stays, G0_stays; /* they are what this lane had at the end of the last step */
  real *end_gradient, *G1;       /* out: where it ends, with room for SHK_LANES_PADDING more */
  real *work; /* += the energy that the constraint's kicks put in; NULL: not wanted */
  bool done;  /* out: if not, of *to, end_gradient and G1 anything, and nothing else has changed */
  struct shk_status status; /* out, if it is done: it is ok, or a callback failed */
};

struct shk_verlet_lanes; /* workspace */

/* In double, for each set of vectors and for one lane. */
struct shk_verlet_kernel {
  int lanes; /* that go together */
  /* Of at most as many systems, whose evaluators `lanes` has. `iteration`: the tolerance and the limit of
   * their position solves; hidden: the hidden constraint is solved for, too. */
  struct shk_status (*create)(struct shk_verlet_lanes **made, struct shk_workspace *workspace,
                              const struct shk_verlet_lane *lanes, int count,
                              const struct shk_iteration *iteration, bool hidden);
  void (*step)(struct shk_verlet_lanes *made, struct shk_verlet_lane *lanes, real h);
};

#endif
