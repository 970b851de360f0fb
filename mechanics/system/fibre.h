/* Functions along fibres (shakedown/fibre.h) that methods do not call. */
#ifndef MECHANICS_SYSTEM_FIBRE_H
#define MECHANICS_SYSTEM_FIBRE_H

#include <shakedown/fibre.h>

/* Finds lambda (m) with N lambda = {psi,H}, which keeps psi = 0 along the motion. */
struct shk_status shk_fibre_multiplier(struct shk_fibre *fibre, real *lambda, real t, const real *q,
                                       const real *p);
/* Projects (q,p) in place along the gradients of g onto g = 0, by Newton's method. */
struct shk_status shk_fibre_onto_constraint(struct shk_fibre *fibre, real t, real *q, real *p);

struct shk_fibre_flow; /* workspace and tableau */

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **flow,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator);
/* Flow along the fibre, as shk_fibre_slide, by Gauss collocation of order 24, in as many substeps
 * as round-off requires. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
