/*
 * Unconstrained one-step methods for q' = H_p, p' = -H_q, which are the flows on which SHAKE and
 * RATTLE are built. The start and the end of each step are represented as increments to a state, so
 * that the increments can be accumulated with compensated summation.
 */
#ifndef INTEGRATORS_KIT_FLOW_H
#define INTEGRATORS_KIT_FLOW_H

#include <shakedown/bind.h>

/* The entries follow the order of shk_flow_choices. */
enum shk_flow_kind {
  SHK_FLOW_VERLET,
  SHK_FLOW_EULER,
  SHK_FLOW_EULER_ADJOINT,
  SHK_FLOW_MIDPOINT,
  SHK_FLOW_GAUSS,
  SHK_FLOW_COMPOSITION,
  SHK_FLOW_ONE_STEP,
  SHK_FLOW_INTEGRATOR
};

struct shk_flow; /* in the workspace */

/* The choices of an option `flow`. */
extern const struct shk_choice shk_flow_choices[];

/* Binds the option `flow`. The option `iterations` limits the number of Newton iterations. */
struct shk_status shk_bind_flow(struct shk_flow **flow, const struct shk_binding *binding);

/* Takes a step of signed length h at time t from (q + dq, p + dp), where (q,p) is the state `from`
 * with its carries. On return, the increments (n each) are those from (q,p) to the end of the step.
 * Implicit stages are solved to round-off. */
struct shk_flow_task {
  real t, h;
  const struct shk_state *from;
  real *dq, *dp;
};
struct shk_status shk_flow_step(struct shk_flow *flow, const struct shk_flow_task *task);

/* ---- Gauss collocation, called by shk_flow_step ---- */

struct shk_gauss_flow;

struct shk_status shk_bind_gauss_flow(struct shk_gauss_flow **flow,
                                      const struct shk_binding *binding, int stages);
/* Takes a step of length h from y = (q,p) at time t, and adds its increments to dq and dp. */
struct shk_status shk_gauss_flow_step(struct shk_gauss_flow *flow, real *dq, real *dp, real t,
                                      const real *y, real h);

/* ---- an integrator given by the option `base`, called by shk_flow_step ---- */

struct shk_integrator_flow;

struct shk_status shk_bind_integrator_flow(struct shk_integrator_flow **flow,
                                           const struct shk_binding *binding,
                                           const struct shk_values *options);
struct shk_status shk_integrator_flow_step(struct shk_integrator_flow *flow,
                                           const struct shk_flow_task *task);

#endif
