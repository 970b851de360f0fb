/* Evaluations that methods do not need. All others are declared in shakedown/system.h. */
#ifndef MECHANICS_SYSTEM_EVALUATE_H
#define MECHANICS_SYSTEM_EVALUATE_H

#include <shakedown/system.h>

/* Initializes an evaluator for states that are visited in sequence. Such an evaluator caches only
 * one point. */
struct shk_status shk_evaluator_init_observer(struct shk_evaluator *evaluator,
                                              const struct shk_system *system);

/* Discards all cached values. Call this after the system has changed. */
void shk_evaluator_forget(struct shk_evaluator *evaluator);

/* Evaluates the rows [H_pq H_pp] of the Hessian and stores them at their positions in `out` (2n x
 * 2n). The other rows are undefined. If the mass matrix depends on q, this costs less than
 * evaluating the entire Hessian, but it is counted as one Hessian. */
struct shk_status shk_hessian_p(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *p);

/* These functions evaluate g and G at an iterate of a solve. The values are not cached, because
 * solves do not return to an iterate. */
struct shk_status shk_iterate_constraint(struct shk_evaluator *e, real *g, real t, const real *q);
struct shk_status shk_iterate_jacobian(struct shk_evaluator *e, real *values, real t,
                                       const real *q);

/* Returns max_i |g_i| / constraint_scale[i] for a vector g (m), or NaN if an entry is NaN. */
real shk_constraint_norm(const struct shk_system *system, const real *g);

/* These functions evaluate g(q,p) and its second derivatives, as defined in struct shk_system. The
 * first works for every system, whereas the second requires SHK_MOMENTUM_CONSTRAINT. They are
 * counted as constraint and curvature evaluations. */
struct shk_status shk_constraint_qp(struct shk_evaluator *e, real *g, real t, const real *q,
                                    const real *p);
struct shk_status shk_constraint_second(struct shk_evaluator *e, real *out, real t, const real *q,
                                        const real *p, const real *w);

/* These functions evaluate the functions of a semi-explicit DAE, as defined in struct shk_system.
 * The slope is counted as a gradient, and the derivatives are counted as a Hessian. */
struct shk_status shk_dae_slope(struct shk_evaluator *e, real *dq, real *dp, real t, const real *q,
                                const real *p, const real *lambda);
struct shk_status shk_dae_constraint(struct shk_evaluator *e, real *g, real t, const real *q,
                                     const real *p);
struct shk_status shk_dae_derivatives(struct shk_evaluator *e, real *f_x, real *f_lambda, real *g_x,
                                      real t, const real *q, const real *p, const real *lambda);

/* Returns max_i Σ_k |G_ik x_k|, which is the rounding error of G x divided by epsilon. The result
 * is at least the smallest normal number divided by epsilon. */
real shk_jacobian_size(const struct shk_evaluator *e, const real *values, const real *x);

#endif
