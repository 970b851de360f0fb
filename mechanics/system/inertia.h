/* Computes H = ½ pᵀM(q)⁻¹p + V(q) and its derivatives from M, V and their derivatives. */
#ifndef MECHANICS_SYSTEM_INERTIA_H
#define MECHANICS_SYSTEM_INERTIA_H

#include <shakedown/parts/workspace.h>
#include <shakedown/system.h>

struct shk_inertia; /* work space that stores the factors of M for the last two q */

/* Creates the work space for a system that provides the function `mass_matrix`. */
struct shk_status shk_inertia_create(struct shk_inertia **inertia, struct shk_workspace *workspace,
                                     const struct shk_evaluator *evaluator);

/* These functions evaluate H, H_p (n) and the Hessian (2n x 2n, row-major). They return
 * SHK_SINGULAR if M is not positive definite. */
struct shk_status shk_inertia_hamiltonian(struct shk_inertia *inertia, real *value, real t,
                                          const real *q, const real *p);
/* Adds the derivative of the kinetic energy to H_q. */
struct shk_status shk_inertia_add_kinetic(struct shk_inertia *inertia, real *H_q, const real *q,
                                          const real *p);
struct shk_status shk_inertia_p(struct shk_inertia *inertia, real *H_p, const real *q,
                                const real *p);
struct shk_status shk_inertia_hessian(struct shk_inertia *inertia, real *out, real t, const real *q,
                                      const real *p);
/* Stores only those rows of the Hessian that contain the derivatives of H_p, [H_pq H_pp], at their
 * positions in `out`. */
struct shk_status shk_inertia_hessian_p(struct shk_inertia *inertia, real *out, const real *q,
                                        const real *p);

#endif
