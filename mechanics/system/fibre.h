/* Functions along fibres (shakedown/fibre.h) that methods do not call. */
#ifndef MECHANICS_SYSTEM_FIBRE_H
#define MECHANICS_SYSTEM_FIBRE_H

#include <shakedown/fibre.h>

/* Finds the lambda (m) with N lambda = {psi,H}, which keeps psi = 0 along the motion. */
struct shk_status shk_fibre_multiplier(struct shk_fibre *fibre, real *lambda, real t, const real *q,
                                       const real *p);
/* Projects (q,p) in place onto g = 0 along the gradients of g, by Newton's method. */
struct shk_status shk_fibre_onto_constraint(struct shk_fibre *fibre, real t, real *q, real *p);

/* Nondegeneracy and coisotropy at a point. */
struct shk_regularity {
  real least, largest; /* smallest and largest |eigenvalue| of N/(|∇g_i| |∇g_j|), symmetrized */
  int negative;        /* number of negative eigenvalues */
  /* largest sum of the absolute values of the terms of an entry of N/(|∇g_i| |∇g_j|) */
  real cancellation;
  real bracket; /* max |{g_i,g_j}|/(|∇g_i| |∇g_j|), i ≠ j */
};
struct shk_status shk_fibre_regularity(struct shk_fibre *fibre, struct shk_regularity *regularity,
                                       real t, const real *q, const real *p);
/* Evaluates nondegeneracy and coisotropy in the work space of a manifold. Returns SHK_BAD_INPUT for
 * constraints g(q). */
struct shk_manifold;
struct shk_status shk_manifold_regularity(struct shk_manifold *manifold,
                                          struct shk_regularity *regularity, real t, const real *q,
                                          const real *p);
/* Returns ok if the point is regular, or else a status with the given code that describes what is
 * wrong. */
struct shk_status shk_regularity_fault(const struct shk_regularity *regularity, enum shk_code code);

struct shk_fibre_flow; /* workspace and tableau */

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **flow,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator);
/* Integrates the flow along the fibre, as in shk_fibre_slide, by Gauss collocation of order 24 in
 * as many substeps as an accuracy of round-off requires. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
