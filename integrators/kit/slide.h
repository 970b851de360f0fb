/*
 * The solve for how far to slide along a fibre: r(s) = 0 for few or many unknowns s (m), to the
 * round-off of the compilation, where r costs a step of a flow and only an approximation of its
 * derivative is at hand.
 */
#ifndef INTEGRATORS_KIT_SLIDE_H
#define INTEGRATORS_KIT_SLIDE_H

#include <shakedown/bind.h>

struct shk_slide; /* workspace */

/* Of the residual: what it is, and its approximate derivative. */
struct shk_slide_task {
  void *user;
  /* r (m) at s (m), and its rounding: what round-off leaves of a residual that is zero. Leaves
   * whatever belongs to s where the caller wants it: the last call is at the solution. */
  struct shk_status (*residual)(void *user, real *r, real *rounding, const real *s);
  /* Prepares `solve` with a matrix near dr/ds where the residual was evaluated last. */
  struct shk_status (*matrix)(void *user);
  /* x (m) <- matrix⁻¹ x */
  void (*solve)(void *user, real *x);
};

#define shk_bind_slide SHK_NAME(shk_bind_slide)
#define shk_slide_solve SHK_NAME(shk_slide_solve)

/* With `tolerance` and `iterations` of SHK_SOLVING_OPTIONS. */
struct shk_status shk_bind_slide(struct shk_slide **slide, const struct shk_binding *binding);
/* From the guess in s. SHK_NOT_CONVERGED also says that there is no real solution near. */
struct shk_status shk_slide_solve(struct shk_slide *slide, real *s,
                                  const struct shk_slide_task *task);

#endif
