/*
 * Integrability of velocity constraints A(q,t) v + a(q,t) = 0 to constraints on q and t, by
 * Frobenius' theorem (F. W. Warner, Foundations of Differentiable Manifolds and Lie Groups,
 * Springer 1983, §2.32). With time as one more coordinate, x = (q,t), and the rows of (A a) as
 * differential forms α_i = Σ_j A_ij dx_j, the directions that they and the constraints g leave free
 * are integrable if and only if
 *
 *     dα_i(u,v) = Σ_jk (dA_ik/dx_j - dA_ij/dx_k) u_j v_k = 0
 *
 * for all i and all free u, v. If A depends on q alone and a = 0, the test in q is the same. The
 * test is at a point: if it fails, the constraints are nonholonomic; if it holds, they are
 * integrable as far as that point shows.
 */
#ifndef MECHANICS_DIAGNOSIS_FROBENIUS_H
#define MECHANICS_DIAGNOSIS_FROBENIUS_H

#include <shakedown/system.h>

struct shk_frobenius {
  int rank;        /* of the rows of (A a) and (G g_t) together */
  real twist;      /* the largest |dα_i(u,v)|/|α_i| over orthonormal free u, v */
  real rounding;   /* its round-off */
  real violation;  /* max |A v + a| / |α_i| for the velocity v at the point */
  bool integrable; /* twist is no larger than its rounding */
};

/* Tests a system with SHK_VELOCITY_CONSTRAINT; SHK_BAD_INPUT for others. */
struct shk_status shk_frobenius_test(struct shk_frobenius *result, struct shk_evaluator *evaluator,
                                     real t, const real *q, const real *p);

#endif
