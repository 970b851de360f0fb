/*
 * Solves r(s) = 0 for the parameters s (m) of the flow along a fibre, to a tolerance or to
 * round-off. Each evaluation of r costs one step of a flow, and only an approximation of the
 * derivative of r is known.
 */
#ifndef INTEGRATORS_GEOMETRIC_SOLVE_H
#define INTEGRATORS_GEOMETRIC_SOLVE_H

#include <shakedown/bind.h>

struct shk_fibre_solver; /* in the workspace */

/* Functions that compute the residual and its approximate derivative. */
struct shk_fibre_task {
  void *user;
  /* Stores r (m) at s (m), and stores in *rounding the round-off that r would contain if it
   * vanished. The function may retain results for s, because the last call is always at the
   * solution. */
  struct shk_status (*residual)(void *user, real *r, real *rounding, const real *s);
  /* Prepares `solve` with a matrix that approximates dr/ds at the point of the last residual
   * evaluation. */
  struct shk_status (*matrix)(void *user);
  /* x (m) <- matrix⁻¹ x */
  void (*solve)(void *user, real *x);
};

/* Uses the options `tolerance` and `iterations` of SHK_SOLVING_OPTIONS. */
struct shk_status shk_bind_fibre_solver(struct shk_fibre_solver **fibre,
                                        const struct shk_binding *binding);
/* Solves for s, whose value on entry is the initial guess. SHK_NOT_CONVERGED can also mean that
 * there is no real solution nearby. */
struct shk_status shk_fibre_solve(struct shk_fibre_solver *fibre, real *s,
                                  const struct shk_fibre_task *task);

#endif
