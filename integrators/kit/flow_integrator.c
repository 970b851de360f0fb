/*
 * Uses any integrator as a flow, including those provided by plug-ins. The integrator is bound to
 * the system without its constraints and therefore has no multipliers. The increment of a step is
 * the difference between its final and initial states, including the carries.
 */
#include "integrators/kit/flow.h"

struct shk_integrator_flow {
  /* evaluator of the constrained system, in which all work is counted */
  struct shk_evaluator *counted;
  struct shk_instance instance; /* the problem without its constraints */
  struct shk_evaluator evaluator;
  struct shk_base base;
  struct shk_state from, to;
};

/* These functions replace g, G and the curvature when there are no constraints. */
static int no_constraints(const void *context, real *out, real t, const real *q)
{
  return 0;
}

static int no_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  return 0;
}

/* Removes everything except H and generalized forces from the system. */
static void leave_out_constraints(struct shk_system *s)
{
  s->features &= ~(unsigned)(SHK_RHEONOMIC | SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT);
  s->m = 0;
  s->constraint = no_constraints;
  s->jacobian = no_constraints;
  s->curvature = no_curvature;
  s->row_start = s->columns = NULL;
  s->constraint_qp = NULL;
  s->constraint_gradients = NULL;
  s->constraint_second = NULL;
  s->fibre = NULL;
  s->constraint_rate = NULL;
  s->constraint_scale = NULL;
  s->rods = NULL;
}

static void clear_flow_integrator(void *object)
{
  shk_evaluator_clear(object);
}

struct shk_status shk_bind_integrator_flow(struct shk_integrator_flow **created,
                                           const struct shk_binding *binding,
                                           const struct shk_values *options)
{
  struct shk_integrator_flow *flow = *created = shk_memory(binding->workspace, sizeof *flow);
  SHK_TRY(shk_allocated(flow));
  flow->counted = binding->evaluator;
  flow->instance = *binding->instance;
  leave_out_constraints(&flow->instance.system);
  SHK_TRY(shk_evaluator_init(&flow->evaluator, &flow->instance.system));
  SHK_TRY(shk_keep(binding->workspace, &flow->evaluator, clear_flow_integrator));
  struct shk_binding own = *binding;
  own.instance = &flow->instance;
  own.evaluator = &flow->evaluator;
  flow->base.integrator = shk_values_part(options, "base");
  flow->base.options = shk_values_nested(options, "base");
  SHK_TRY(shk_bind_base(&flow->base, &own));
  SHK_TRY(shk_bind_state(&flow->from, &own));
  return shk_bind_state(&flow->to, &own);
}

/* Transfers the work of the step to the constrained system's evaluator. */
static void move_counters(struct shk_integrator_flow *flow)
{
#define COUNTER(id, name, ...) flow->counted->counters.name += flow->evaluator.counters.name;
#include <shakedown/counters.def>
#undef COUNTER
  flow->evaluator.counters = (struct shk_counters){0};
}

struct shk_status shk_integrator_flow_step(struct shk_integrator_flow *flow,
                                           const struct shk_flow_task *task)
{
  const struct shk_state *from = task->from;
  flow->from.t = task->t;
  shk_move_q(&flow->from, from, task->dq);
  shk_move_p(&flow->from, from, task->dp);
  const struct shk_status status = shk_base_step(&flow->base, &flow->to, &flow->from, task->h);
  move_counters(flow);
  SHK_TRY(status);
  for (int i = 0; i < from->n; i++) {
    task->dq[i] = (flow->to.q[i] - from->q[i]) + (flow->to.q_carry[i] - from->q_carry[i]);
    task->dp[i] = (flow->to.p[i] - from->p[i]) + (flow->to.p_carry[i] - from->p_carry[i]);
  }
  return shk_ok();
}
