/* The manifold's multipliers of redundant constraints by QR. */
#ifndef MECHANICS_SYSTEM_MANIFOLD_H
#define MECHANICS_SYSTEM_MANIFOLD_H

#include <shakedown/solve.h>

/* From now on solves by QR of the same rows as long as they are independent: of redundant
 * constraints, for some multipliers of the same force, not the shortest. In quad that is fifty
 * times as fast as SVD. Does nothing for constraints on momenta and general DAEs. */
struct shk_status shk_manifold_keep_rows(struct shk_manifold *manifold);
/* Solves in place: x (m) <- A⁻¹ x, with the constraint matrix at (t,q,p) of constraints g(q,t). */
struct shk_status shk_manifold_solve(struct shk_manifold *manifold, real *x, real t, const real *q,
                                     const real *p);
/* Replaces multipliers (m) by the shortest ones that have the same force Gᵀλ at (t,q,p), with rows of
 * G scaled to length one. Where the rows of constraints g(q,t) are independent they stay as they
 * are, but for rounding. */
struct shk_status shk_manifold_shortest(struct shk_manifold *manifold, real *lambda, real t,
                                        const real *q, const real *p);

/* From now on solves singular constraint matrices as by svd, which is the default for 2 to 64
 * constraints. SHK_SINGULAR for constraints on momenta and general DAEs. */
struct shk_status shk_manifold_take_redundant(struct shk_manifold *manifold);

/* True if the last constraint matrix was singular, or known to be, and solved as by svd. */
bool shk_manifold_met_singular(const struct shk_manifold *manifold);

/* Evaluates g (m) and hidden (m): G H_p + g_t; for constraints g(q,p), {g,H}; for general DAEs g_q
 * q' at index 3 and zeros at index 2. */
struct shk_status shk_manifold_residuals(struct shk_manifold *manifold, real *g, real *hidden,
                                         real t, const real *q, const real *p);

/* Projects a start, before any step, with any number of redundant constraints. It may allocate. */
struct shk_status shk_manifold_project_start(struct shk_manifold *manifold, real *q, real *p,
                                             real t);

#endif
