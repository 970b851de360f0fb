/* Functions of the manifold that methods do not call, mainly for redundant constraints. */
#ifndef MECHANICS_SYSTEM_MANIFOLD_H
#define MECHANICS_SYSTEM_MANIFOLD_H

#include <shakedown/solve.h>

/* From this call on, systems are solved by QR with the same rows for as long as these are
 * independent. With redundant constraints, this gives multipliers that have the right force but
 * need not be the shortest. In quad, it is fifty times as fast as SVD. Has no effect on constraints
 * on momenta and general DAEs. */
struct shk_status shk_manifold_keep_rows(struct shk_manifold *manifold);
/* Solves in place: x (m) <- A⁻¹ x, where A is the constraint matrix at (t,q,p) of constraints
 * g(q,t). */
struct shk_status shk_manifold_solve(struct shk_manifold *manifold, real *x, real t, const real *q,
                                     const real *p);
/* Replaces multipliers (m) by the shortest ones that have the same force Gᵀλ at (t,q,p), where the
 * rows of G are scaled to length one. If the rows of constraints g(q,t) are independent, the
 * multipliers change only by rounding. */
struct shk_status shk_manifold_shortest(struct shk_manifold *manifold, real *lambda, real t,
                                        const real *q, const real *p);

/* From this call on, singular constraint matrices are handled as with linear=svd, which is the
 * default for 2 to 64 constraints. Returns SHK_SINGULAR for constraints on momenta and general
 * DAEs. */
struct shk_status shk_manifold_take_redundant(struct shk_manifold *manifold);

/* Returns true if the last constraint matrix was singular, or known to be, and was handled as with
 * linear=svd. */
bool shk_manifold_met_singular(const struct shk_manifold *manifold);

/* Evaluates g (m) and hidden (m). The latter is G H_p + g_t for constraints g(q,t), and {g,H} for
 * constraints g(q,p). For general DAEs, it is g_q q' at index 3 and zero at index 2. */
struct shk_status shk_manifold_residuals(struct shk_manifold *manifold, real *g, real *hidden,
                                         real t, const real *q, const real *p);

/* Projects the start of a motion before the first step. There can be any number of redundant
 * constraints. May allocate memory. */
struct shk_status shk_manifold_project_start(struct shk_manifold *manifold, real *q, real *p,
                                             real t);

#endif
