/* The flow along a fibre, integrated to round-off. */
#ifndef MECHANICS_SYSTEM_FIBRE_FLOW_H
#define MECHANICS_SYSTEM_FIBRE_FLOW_H

#include <shakedown/system.h>

struct shk_fibre_flow; /* workspace and tableau */

#define shk_fibre_flow_create SHK_NAME(shk_fibre_flow_create)
#define shk_fibre_flow_destroy SHK_NAME(shk_fibre_flow_destroy)
#define shk_fibre_flow_integrate SHK_NAME(shk_fibre_flow_integrate)

/* NULL without memory. */
struct shk_fibre_flow *shk_fibre_flow_create(struct shk_evaluator *evaluator);
void shk_fibre_flow_destroy(struct shk_fibre_flow *flow);
/* As shk_fibre_integrate. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
