/* Functions for the manifold that methods do not need. Most of them deal with redundant
 * constraints. */
#ifndef MECHANICS_SYSTEM_MANIFOLD_H
#define MECHANICS_SYSTEM_MANIFOLD_H

#include <shakedown/solve.h>

/* From this call on, systems are solved by QR, which keeps the same rows for as long as they are
 * independent. With redundant constraints, the resulting multipliers yield the right force but need
 * not be the shortest. In quad, QR is fifty times as fast as SVD. The call has no effect on
 * constraints g(q,p) and general DAEs. */
struct shk_status shk_manifold_keep_rows(struct shk_manifold *manifold);
/* Solves in place: x (m) <- A⁻¹ x, where A is the constraint matrix at (t,q,p). Requires
 * constraints g(q,t). */
struct shk_status shk_manifold_solve(struct shk_manifold *manifold, real *x, real t, const real *q,
                                     const real *p);
/* Replaces multipliers (m) with the shortest ones that yield the same force Gᵀλ at (t,q,p), where
 * the rows of G are scaled to length one. For constraints g(q,t) with independent rows, the
 * multipliers change only by rounding errors. */
struct shk_status shk_manifold_shortest(struct shk_manifold *manifold, real *lambda, real t,
                                        const real *q, const real *p);

/* From this call on, singular constraint matrices are handled as with linear=svd, which is the
 * default for 2 to 64 constraints. Returns SHK_SINGULAR for constraints g(q,p) and general DAEs. */
struct shk_status shk_manifold_take_redundant(struct shk_manifold *manifold);

/* Returns true if the last constraint matrix was singular, or known to be, and was handled as with
 * linear=svd. */
bool shk_manifold_met_singular(const struct shk_manifold *manifold);

/* Evaluates g (m) and the hidden constraint (m). The latter is G H_p + g_t for constraints g(q,t),
 * and {g,H} for constraints g(q,p). For general DAEs, it is g_q q' at index 3 and zero at index
 * 2. */
struct shk_status shk_manifold_residuals(struct shk_manifold *manifold, real *g, real *hidden,
                                         real t, const real *q, const real *p);

/* Projects the initial state of a motion before the first step. There can be any number of
 * redundant constraints. May allocate memory. */
struct shk_status shk_manifold_project_start(struct shk_manifold *manifold, real *q, real *p,
                                             real t);

#endif
