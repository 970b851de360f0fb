/*
 * Tests whether velocity constraints A(q,t) v + a(q,t) = 0 can be integrated to constraints on q
 * and t, using Frobenius' theorem (F. W. Warner, Foundations of Differentiable Manifolds and Lie
 * Groups, Springer 1983, §2.32). Treat time as an additional coordinate, x = (q,t), and regard the
 * rows of (A a) as differential forms α_i = Σ_j A_ij dx_j. The directions left free by these forms
 * and by the constraints g are integrable if and only if
 *
 *     dα_i(u,v) = Σ_jk (dA_ik/dx_j - dA_ij/dx_k) u_j v_k = 0
 *
 * for all i and all free u, v. If A depends on q alone and a = 0, the same test applies with x = q.
 * The condition is tested at a single point. If it is violated, the constraints are nonholonomic.
 * If it holds, they appear integrable at that point.
 */
#ifndef MECHANICS_DIAGNOSIS_FROBENIUS_H
#define MECHANICS_DIAGNOSIS_FROBENIUS_H

#include <shakedown/system.h>

struct shk_frobenius {
  int rank;        /* combined rank of the rows of (A a) and (G g_t) */
  real twist;      /* maximum of |dα_i(u,v)|/|α_i| over orthonormal free u, v */
  real rounding;   /* its round-off */
  real violation;  /* max_i |A v + a|_i / |α_i|, where v is the velocity at the point */
  bool integrable; /* true if `twist` does not exceed its rounding error */
};

/* Tests a system that has the feature SHK_VELOCITY_CONSTRAINT. Returns SHK_BAD_INPUT for all other
 * systems. */
struct shk_status shk_frobenius_test(struct shk_frobenius *result, struct shk_evaluator *evaluator,
                                     real t, const real *q, const real *p);

#endif
