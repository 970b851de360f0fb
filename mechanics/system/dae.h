/*
 * General semi-explicit differential-algebraic equations x' = f(t,x,lambda), 0 = g(x), x = (q,p),
 * of index 2 or 3 (SHK_GENERAL_DAE in system.h). This is the counterpart of manifold.c, which
 * handles mechanical systems.
 *
 *     index 2     0 = g_x f(t,x,lambda) determines lambda;             N = g_x f_lambda
 *     index 3     hidden: 0 = psi(q,p) = g_q q';  lambda from
 *                 0 = g_qq[q',q'] + g_q (q'_q q' + q'_p p');           N = g_q q'_p p'_lambda
 *
 * Both conditions are solved for lambda by Newton's method, starting from (1, …, 1). If there are
 * several solutions, the result is the one to which this iteration converges.
 */
#ifndef MECHANICS_SYSTEM_DAE_H
#define MECHANICS_SYSTEM_DAE_H

#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_dae; /* workspace */

/* Returns SHK_BAD_INPUT if the index is neither 2 nor 3, or if the system does not provide a
 * required function. */
struct shk_status shk_dae_create(struct shk_dae **dae, struct shk_workspace *workspace,
                                 struct shk_evaluator *evaluator);
/* Evaluates g (m) and hidden (m). The latter is psi at index 3 and zero at index 2, where x has no
 * hidden constraint. */
struct shk_status shk_dae_residuals(struct shk_dae *dae, real *g, real *hidden, real t,
                                    const real *q, const real *p);
struct shk_status shk_dae_multiplier(struct shk_dae *dae, real *lambda, real t, const real *q,
                                     const real *p);
/* Makes (q,p) consistent in place. At index 2, moves x along g_xᵀ until g = 0. At index 3, moves q
 * along g_qᵀ until g = 0, and then p along (g_q q'_p)ᵀ until psi = 0. */
struct shk_status shk_dae_project(struct shk_dae *dae, real *q, real *p, real t);
/* Evaluates N (m x m, row-major) at the lambda that shk_dae_multiplier finds. */
struct shk_status shk_dae_matrix(struct shk_dae *dae, real *N, real t, const real *q,
                                 const real *p);

#endif
