/* The common part of SHAKE and RATTLE over a flow. See over_flow.h. */
#include "integrators/kit/over_flow.h"

const struct shk_option shk_over_flow_options[] = {SHK_CHOICE(shk_over_flow, flow, "flow",
                                                              shk_flow_heads, "verlet",
                                                              "the underlying unconstrained flow"),
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

void shk_over_flow_claims(struct shk_claims *claims, const struct shk_over_flow *w, bool rattle)
{
  shk_geometric_claims(claims, (enum shk_flow_kind)w->flow, rattle);
  shk_solving_claims(claims, &w->solving);
}
