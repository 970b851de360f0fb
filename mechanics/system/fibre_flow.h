/* The flow along a fibre, integrated to round-off. */
#ifndef MECHANICS_SYSTEM_FIBRE_FLOW_H
#define MECHANICS_SYSTEM_FIBRE_FLOW_H

#include <shakedown/system.h>
#include <shakedown/workspace.h>

struct shk_fibre_flow; /* workspace and tableau */

struct shk_status shk_fibre_flow_create(struct shk_fibre_flow **flow,
                                        struct shk_workspace *workspace,
                                        struct shk_evaluator *evaluator);
/* As shk_fibre_integrate. */
struct shk_status shk_fibre_flow_integrate(struct shk_fibre_flow *flow, real *dq, real *dp, real t,
                                           const real *q, const real *p, const real *s);

#endif
