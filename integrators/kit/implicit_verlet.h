/* The implicit half of Störmer-Verlet for a general H, which consists of equations (1) and (2) in
 * shake_rattle.c. */
#ifndef INTEGRATORS_KIT_IMPLICIT_VERLET_H
#define INTEGRATORS_KIT_IMPLICIT_VERLET_H

#include <shakedown/bind.h>

struct shk_implicit_verlet;

/* `iterations` is the maximum number of Newton iterations. */
struct shk_status shk_bind_implicit_verlet(struct shk_implicit_verlet **verlet,
                                           const struct shk_binding *binding, long iterations);
/* Solves (1), (2) and g(q1) = 0. Stores q1 and lambda in *to, and p½ - p0 in dp. Sets *p_half to an
 * array that contains p½ until the next call. G0 contains the Jacobian's values at q0. The lambda
 * of `from` is the initial guess for lambda. */
struct shk_status shk_implicit_verlet_solve(struct shk_implicit_verlet *verlet,
                                            struct shk_state *to, const struct shk_state *from,
                                            real h, const real *G0, real *dp, const real **p_half);

#endif
