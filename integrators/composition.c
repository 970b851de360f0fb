/*
 * Symmetric compositions of a symmetric method. They raise the order of any symmetric one-step map
 * S_h of order 2, including constrained maps such as RATTLE, to the order of the scheme. They
 * preserve everything that S_h preserves: symplecticity, symmetry, constraints and momenta. Some
 * g_i are negative. The option `base` selects S_h. A base that claims not to be symmetric is
 * refused. If it is unknown whether the base is symmetric, no order is claimed. A base of higher
 * order retains its order.
 *
 * The reported multipliers belong to substeps of length g_1 h and have the same orders as those of
 * the base. Only the multiplier computed from (q_n,p_n) has the order of the scheme. The constraint
 * force is -Gᵀ lambda.
 */

static const char equations[] =
    "Psi_h = S_{g_s h} ∘ … ∘ S_{g_2 h} ∘ S_{g_1 h},  g_i = g_{s+1-i},  Σ g_i = 1\n"
    "S_h: a step of the base, such as RATTLE\n"
    "lambda acts at q_n in the first factor, mu at q_{n+1} in the last; both have the order of\n"
    "the base.\n";

#include "integrators/kit/base.h"
#include "integrators/kit/composition_schemes.h"
#include <shakedown/plugin.h>

struct composition {
  struct shk_evaluator *evaluator;
  int n, m;
  int scheme; /* index in composition_choices */
  struct shk_base base;
  int count;
  real g[COMPOSITION_FACTORS];
  struct shk_state between[2];
  real *first; /* lambda computed by the first factor */
};

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct composition *self = method;
  const struct shk_state *at = from;
  for (int i = 0; i < self->count; i++) { /* takes the step S_{g_i h} */
    struct shk_state *next = i + 1 < self->count ? &self->between[i % 2] : to;
    SHK_TRY(shk_base_step(&self->base, next, at, self->g[i] * h));
    if (i == 0)
      shk_copy(self->first, next->lambda, self->m);
    at = next;
  }
  shk_copy(to->lambda, self->first, self->m);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct composition *self = method;
  SHK_TRY(shk_bind_base(&self->base, binding));
  if (self->base.claims.symmetric == SHK_NO)
    return shk_refused(
        "the base is not symmetric, but compositions need a symmetric one to reach their order");
  self->count = composition_schemes[self->scheme].factors;
  composition_fill(self->g, self->scheme);
  SHK_TRY(shk_bind_state(&self->between[0], binding));
  return shk_bind_state(&self->between[1], binding);
}

/* Makes the same claims as the base, but with higher orders for the states. The base may not know
 * whether it is symmetric, for example if its tolerance is loose. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct composition *self = method;
  const int order = composition_schemes[self->scheme].order;
  *claims = self->base.claims;
  int *const orders[] = {&claims->order_q, &claims->order_p, &claims->order_lambda_state,
                         &claims->local_order_q, &claims->local_order_p};
  for (int i = 0; i < 5; i++) {
    const int raised = i < 3 ? order : order + 1;
    if (claims->symmetric != SHK_YES)
      *orders[i] = SHK_NO_ORDER;
    else if (*orders[i] != SHK_NO_ORDER && *orders[i] < raised)
      *orders[i] = raised;
  }
}

/* The base accumulates the work of all factors. */
static bool constraint_work(void *method, real *sum)
{
  const struct composition *self = method;
  return shk_method_constraint_work(self->base.integrator, self->base.method, sum);
}

static const struct shk_option options[] = SHK_LIST(
    SHK_CHOICE(composition, scheme, "scheme", composition_choices, "suzuki4", "the coefficients"),
    SHK_BASE(composition, base, "base", "rattle",
             "the symmetric method that is composed, with its options in parentheses"));

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAY(composition, first, .m = 1));

static const struct shk_integrator composition = {
    SHK_INTEGRATOR(composition, arrays, bind, step, claims_under),
    .constraint_work = constraint_work,
    .info = {.name = "composition",
             .family = "constrained and geometric",
             .summary = "orders 4, 6, 8 and 10 by symmetric composition of a symmetric method",
             .equations = equations,
             .citation = "Yoshida, Phys. Lett. A 150 (1990) 262; Suzuki, Phys. Lett. A 146 (1990) "
                         "319; Reich, SIAM J. Numer. Anal. 33 (1996) 475; Hairer, Lubich & Wanner, "
                         "GNI, §V.3",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(composition, .integrators = SHK_INTEGRATORS(&composition));
