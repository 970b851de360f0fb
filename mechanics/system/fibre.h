/* Functions along fibres (shakedown/fibre.h) that methods do not call. */
#ifndef MECHANICS_SYSTEM_FIBRE_H
#define MECHANICS_SYSTEM_FIBRE_H

#include <shakedown/fibre.h>

/* Finds lambda (m) with N lambda = {psi,H}, which keeps psi = 0 along the motion. */
struct shk_status shk_fibre_multiplier(struct shk_fibre *fibre, real *lambda, real t, const real *q,
                                       const real *p);
/* Projects (q,p) in place along the gradients of g onto g = 0, by Newton's method. */
struct shk_status shk_fibre_onto_constraint(struct shk_fibre *fibre, real t, real *q, real *p);

/* Nondegeneracy and coisotropy at a point. */
struct shk_regularity {
  real least, largest; /* |eigenvalues| of N/(|∇g_i| |∇g_j|), symmetrized */
  int negative;        /* eigenvalues below zero */
  real cancellation;   /* largest sum of moduli of an entry of N/(|∇g_i| |∇g_j|) */
  real bracket;        /* max |{g_i,g_j}|/(|∇g_i| |∇g_j|), i ≠ j */
};
struct shk_status shk_fibre_regularity(struct shk_fibre *fibre, struct shk_regularity *regularity,
                                       real t, const real *q, const real *p);
/* Evaluates nondegeneracy and coisotropy with the work space of a manifold;
 * SHK_BAD_INPUT for constraints g(q). */
struct shk_manifold;
struct shk_status shk_manifold_regularity(struct shk_manifold *manifold,
                                          struct shk_regularity *regularity, real t, const real *q,
                                          const real *p);
/* Returns ok if the point is regular, else a status of the given code with the fault. */
struct shk_status shk_regularity_fault(const struct shk_regularity *regularity, enum shk_code code);

struct shk_fibre_flow; /* workspace and tableau */

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **flow,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator);
/* Flow along the fibre, as shk_fibre_slide, by Gauss collocation of order 24, in as many substeps
 * as round-off requires. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
