/* SHAKE and RATTLE over any flow, for constraints g(q) and g(q,p). */
#ifndef INTEGRATORS_GEOMETRIC_H
#define INTEGRATORS_GEOMETRIC_H

#include "integrators/kit/flow.h"

#include <shakedown/parts/integrator.h>

struct shk_geometric;

/* Binds the options `flow` and SHK_SOLVING_OPTIONS, or refuses the system. If `rattle` is true,
 * each step ends on the hidden constraint. *asks_work points to the destination of the constraint
 * work, or is NULL while the work is not measured. */
struct shk_status shk_bind_geometric(struct shk_geometric **geometric,
                                     const struct shk_binding *binding, bool rattle,
                                     real *const *asks_work);
/* Like the member `step` of struct shk_integrator. */
struct shk_status shk_geometric_step(struct shk_geometric *geometric, struct shk_state *to,
                                     const struct shk_state *from, real h);
/* Adapts the claims that SHAKE and RATTLE make with the Störmer-Verlet flow to another flow and its
 * options. */
void shk_flow_claims(struct shk_claims *claims, enum shk_flow_kind flow,
                     const struct shk_values *options, bool rattle);

#endif
