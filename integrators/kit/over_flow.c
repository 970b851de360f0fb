/* The common part of SHAKE and RATTLE over a flow. See over_flow.h. */
#include "integrators/kit/over_flow.h"

#include <shakedown/bind.h>
#include <shakedown/ode.h>

#include <string.h>

static const struct shk_head guess_heads[] = {
    {"previous", "the lambda of the step before", NULL},
    {"zero", "zero, as sweeps over positions begin", NULL},
    {"extrapolated",
     "twice the last lambda less the one before, where the step goes on from the one before", NULL},
    {0}};

static const struct shk_head momentum_heads[] = {
    {"carried", "the momentum at the end of the step, without a kick of the constraint, of order 1",
     NULL},
    {"central",
     "that of the positions on either side, M (q_{n+1} - q_{n-1})/2h where H is separable and M "
     "constant, of order 2: the next step's lambda is solved for as well, and half of its kick "
     "made. "
     "flow=verlet only",
     NULL},
    {0}};

#define OPTIONS                                                                                    \
  SHK_CHOICE(shk_over_flow, flow, "flow", shk_flow_heads, "verlet",                                \
             "the underlying unconstrained flow",                                                  \
             .nested_at = SHK_AT(shk_over_flow, flow_options)),                                    \
      SHK_SOLVING_OPTIONS(shk_over_flow, solving),                                                 \
      SHK_CHOICE(shk_over_flow, guess, "guess", guess_heads, "previous",                           \
                 "where the solve for lambda begins; with linear=qr and svd always at zero")

const struct shk_option shk_over_flow_options[] = {OPTIONS, {0}};
const struct shk_option shk_shake_options[] = {
    OPTIONS,
    SHK_CHOICE(shk_over_flow, momentum, "momentum", momentum_heads, "carried",
               "which momentum a step ends with; positions are the same"),
    {0}};

const struct shk_array shk_over_flow_arrays[] = {
    SHK_ARRAY(shk_over_flow, first, .m = 1), SHK_ARRAY(shk_over_flow, before, .m = 1),
    SHK_ARRAY(shk_over_flow, last, .m = 1),  SHK_ARRAY(shk_over_flow, G1, .entries = 1),
    SHK_ARRAY(shk_over_flow, kick, .n = 1),  {0}};

const struct shk_state *shk_guessed(struct shk_over_flow *w, const struct shk_state *from)
{
  const size_t bytes = (size_t)w->m * sizeof(real);
  if (w->guess == SHK_GUESS_PREVIOUS)
    return from;
  w->guessed = *from;
  w->guessed.lambda = w->first;
  memset(w->first, 0, bytes);
  if (w->guess == SHK_GUESS_ZERO)
    return &w->guessed;
  const bool goes_on = w->held && memcmp(w->last, from->lambda, bytes) == 0;
  for (int i = 0; i < w->m; i++)
    w->first[i] = goes_on ? 2 * w->last[i] - w->before[i] : from->lambda[i];
  return &w->guessed;
}

void shk_remember_lambda(struct shk_over_flow *w, const struct shk_state *to,
                         const struct shk_state *from)
{
  if (w->guess != SHK_GUESS_EXTRAPOLATED)
    return;
  memcpy(w->before, from->lambda, (size_t)w->m * sizeof(real));
  memcpy(w->last, to->lambda, (size_t)w->m * sizeof(real));
  w->held = true;
}

struct shk_status shk_bind_over_flow(struct shk_over_flow *w, const struct shk_binding *binding,
                                     bool rattle)
{
  const unsigned features = w->evaluator->system->features;
  const bool classical = w->flow == SHK_FLOW_VERLET && (features & SHK_MOMENTUM_CONSTRAINT) == 0;
  if (w->momentum == SHK_CENTRAL && !classical)
    return shk_failure(SHK_REFUSED,
                       "momentum=central is for flow=verlet and constraints on positions", 0, 0);
  if (w->momentum == SHK_CENTRAL)
    SHK_TRY(shk_bind_state(&w->ahead, binding));
  if (!classical)
    return shk_bind_geometric(&w->geometric, binding, rattle, &w->work);
  return shk_bind_verlet(&w->verlet, binding, &w->work);
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

/* What an integrator claims of itself, it has on systems without constraints. */
static struct shk_traits traits_of(const struct shk_values *options)
{
  const struct shk_integrator *base = shk_values_part(options, "base");
  struct shk_claims its;
  if (!base)
    return (struct shk_traits){.order = 1, .rounded = true};
  shk_claims_under(&its, base, shk_values_nested(options, "base"));
  return (struct shk_traits){.order = least(its.order_q, its.order_p),
                             .symplectic = its.symplectic == SHK_YES,
                             .symmetric = its.symmetric == SHK_YES,
                             .rounded = true};
}

void shk_over_flow_claims(struct shk_claims *claims, const struct shk_over_flow *w, bool rattle)
{
  shk_geometric_claims(claims, (enum shk_flow_kind)w->flow, rattle);
  if (w->flow == SHK_FLOW_ONE_STEP)
    claim_over_one_step(claims,
                        shk_one_step_traits(shk_values_choice(w->flow_options, "base"),
                                            shk_values_nested(w->flow_options, "base")),
                        rattle);
  if (w->flow == SHK_FLOW_INTEGRATOR)
    claim_over_one_step(claims, traits_of(w->flow_options), rattle);
  claims->local_order_q = claims->order_q + 1;
  claims->local_order_p = rattle ? claims->order_p + 1 : 1; /* O(h) along the fibre */
  if (w->momentum == SHK_CENTRAL) {
    /* Even in h, as the mean of the momenta on either side of the kick; so is half of its lambda. */
    claims->order_p = 2;
    claims->order_lambda = claims->order_mu = 2;
    claims->local_order_q = claims->local_order_p = SHK_NO_ORDER; /* of the next step, too */
  }
  shk_solving_claims(claims, &w->solving);
}
