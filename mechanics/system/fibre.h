/* Additions to shakedown/fibre.h that methods do not need. */
#ifndef MECHANICS_SYSTEM_FIBRE_H
#define MECHANICS_SYSTEM_FIBRE_H

#include <shakedown/fibre.h>

/* Solves N lambda = {psi,H} for lambda (m). This lambda preserves psi = 0 along the motion. */
struct shk_status shk_fibre_multiplier(struct shk_fibre *fibre, real *lambda, real t, const real *q,
                                       const real *p);
/* Projects (q,p) in place onto g = 0 along the gradients of g, by Newton's method. */
struct shk_status shk_fibre_onto_constraint(struct shk_fibre *fibre, real t, real *q, real *p);

/* Nondegeneracy and coisotropy at a point. */
struct shk_regularity {
  /* smallest and largest absolute eigenvalue of N/(|∇g_i| |∇g_j|), symmetrized */
  real least, largest;
  int negative; /* number of negative eigenvalues */
  /* maximum over the entries of N/(|∇g_i| |∇g_j|) of the sum of the absolute values of an entry's
   * terms */
  real cancellation;
  real bracket; /* max |{g_i,g_j}|/(|∇g_i| |∇g_j|), i ≠ j */
};
struct shk_status shk_fibre_regularity(struct shk_fibre *fibre, struct shk_regularity *regularity,
                                       real t, const real *q, const real *p);
/* Evaluates nondegeneracy and coisotropy, using the work space of a manifold. Returns SHK_BAD_INPUT
 * for constraints g(q). */
struct shk_manifold;
struct shk_status shk_manifold_regularity(struct shk_manifold *manifold,
                                          struct shk_regularity *regularity, real t, const real *q,
                                          const real *p);
/* Returns ok if the point is regular. Otherwise, returns a status with the given code that
 * describes the fault. */
struct shk_status shk_regularity_fault(const struct shk_regularity *regularity, enum shk_code code);

struct shk_fibre_flow; /* workspace and tableau */

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **flow,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator);
/* Integrates the flow along the fibre, as shk_fibre_slide does, by Gauss collocation of order 24.
 * The number of substeps is large enough to reduce the error to round-off. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
