/* The common part of SHAKE and RATTLE over a flow. See over_flow.h. */
#include "integrators/kit/over_flow.h"

#include <shakedown/ode.h>

const struct shk_option shk_over_flow_options[] = {
    SHK_CHOICE(shk_over_flow, flow, "flow", shk_flow_heads, "verlet",
               "the underlying unconstrained flow",
               .nested_at = SHK_AT(shk_over_flow, flow_options)),
    SHK_SOLVING_OPTIONS(shk_over_flow, solving),
    {0}};

struct shk_status shk_bind_over_flow(struct shk_over_flow *w, const struct shk_binding *binding,
                                     bool rattle)
{
  const unsigned features = w->evaluator->system->features;
  return w->flow == SHK_FLOW_VERLET && (features & SHK_MOMENTUM_CONSTRAINT) == 0
             ? shk_bind_verlet(&w->verlet, binding, &w->work)
             : shk_bind_geometric(&w->geometric, binding, rattle, &w->work);
}

static int least(int claimed, int order)
{
  return claimed < order ? claimed : order;
}

/* Order 2 at most whatever that of the flow, since the constraint acts at the ends of a step. A flow of
 * order p moves multipliers by h^(p-1), by how much in the mean depends on its symmetry. */
static void claim_over_one_step(struct shk_claims *claims, struct shk_traits flow, bool rattle)
{
  claims->order_q = least(claims->order_q, flow.order);
  claims->order_p = least(claims->order_p, flow.order);
  claims->order_lambda_state = least(claims->order_lambda_state, flow.order);
  if (flow.rounded)
    claims->compensated = SHK_UNKNOWN;
  if (!flow.symplectic) {
    claims->symplectic = claims->presymplectic = SHK_NO;
    claims->keeps_momenta = claims->energy_bounded = SHK_UNKNOWN;
  }
  if (flow.symmetric)
    return;
  claims->order_lambda = claims->order_mu = SHK_NO_ORDER;
  claims->order_lambda_mean = claims->order_lambda_sum = SHK_NO_ORDER;
  if (rattle)
    claims->symmetric = SHK_NO;
}

void shk_over_flow_claims(struct shk_claims *claims, const struct shk_over_flow *w, bool rattle)
{
  shk_geometric_claims(claims, (enum shk_flow_kind)w->flow, rattle);
  if (w->flow == SHK_FLOW_ONE_STEP)
    claim_over_one_step(claims,
                        shk_one_step_traits(shk_values_choice(w->flow_options, "base"),
                                            shk_values_nested(w->flow_options, "base")),
                        rattle);
  shk_solving_claims(claims, &w->solving);
}
