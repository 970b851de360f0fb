/*
 * Momentum-dependent constraints g(q,p) = 0 (feature SHK_MOMENTUM_CONSTRAINT), and the fibres of
 * their manifold M. With the bracket {f,g} = f_q·g_p - f_p·g_q and the flow of X_g, which is q' =
 * g_p, p' = -g_q:
 *
 *     psi_i = {g_i,H}         hidden constraint; with g = 0 it defines M^H
 *     N_ij = {{H,g_i},g_j}    nondegeneracy: invertible on M^H; N lambda = {psi,H}
 *     {g_i,g_j} = 0 on M      coisotropy: the fibre through z is {exp(Σ s_i X_{g_i}) z}
 *
 * (McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339.) All matrices are
 * dense. For constraints g(q), whose fibres are the sets p - Gᵀs, use the functions in solve.h.
 */
#ifndef SHAKEDOWN_FIBRE_H
#define SHAKEDOWN_FIBRE_H

#include <shakedown/iteration.h>
#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_fibre; /* workspace */

/* Evaluates g (m) and psi (m) at (q,p). `rounding` (2 numbers; may be NULL) receives estimates of
 * the round-off in g and psi, in the max norm: epsilon times max_i (|g_i,q| |q| + |g_i,p| |p|), and
 * epsilon times max_i (|g_i,q| |H_p| + |g_i,p| |H_q|). */
struct shk_status shk_fibre_residuals(struct shk_fibre *fibre, real *g, real *psi, real *rounding,
                                      real t, const real *q, const real *p);
/* Evaluates N (m x m, row by row) and drift = {psi,H} (m; may be NULL). */
struct shk_status shk_fibre_matrix(struct shk_fibre *fibre, real *N, real *drift, real t,
                                   const real *q, const real *p);

/* Follows the fibre from (q,p): stores the increments dq and dp (n each) of exp(Σ s_i X_{g_i}).
 * Uses the function that the problem provides or, if there is none, Gauss collocation of order
 * 24. */
struct shk_status shk_fibre_slide(struct shk_fibre *fibre, real *dq, real *dp, real t,
                                  const real *q, const real *p, const real *s);

/* Projects (q,p) along the fibre onto psi = 0, using Newton's method starting from s = 0. Stores
 * the increments dq and dp (n each) of (q,p), and s (m). `iteration` sets the iteration limit, and
 * its history receives the norms of psi. */
struct shk_status shk_fibre_onto_hidden(struct shk_fibre *fibre, real *dq, real *dp, real *s,
                                        struct shk_iteration *iteration, real t, const real *q,
                                        const real *p);

#endif
