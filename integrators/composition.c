/*
 * Symmetric compositions of a symmetric method:
 *
 *     Psi_h = S_{g_s h} ∘ … ∘ S_{g_2 h} ∘ S_{g_1 h},      g_i = g_{s+1-i},   Σ g_i = 1
 *
 * raise the order of any symmetric one-step map S_h of order 2, constrained ones such as RATTLE
 * included, to that of the scheme, and keep what S_h keeps: symplecticity, symmetry, constraints,
 * momenta. Some g_i are negative. S_h is what the option `base` names, and is taken at its word for
 * being symmetric; one that says it is not is refused. A base of a higher order keeps its own.
 *
 * The multipliers are those of the ends of the step: lambda acted at q_n in the first factor, mu at
 * q_{n+1} in the last. They belong to steps of length g_1 h and have the orders of the base, not
 * that of the composition; the multiplier computed from (q_n,p_n) has. Constraint force -Gᵀ lambda.
 */
#include "integrators/kit/composition_schemes.h"
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct composition {
  struct shk_base base;
  struct shk_state between[2];
  real *first; /* m: lambda of the first factor */
  int count;
  real g[COMPOSITION_FACTORS];
};

static struct shk_status composition_step(void *method, struct shk_state *to,
                                          const struct shk_state *from, real h)
{
  struct composition *w = method;
  const struct shk_state *at = from;
  for (int i = 0; i < w->count; i++) {
    struct shk_state *next = i + 1 < w->count ? &w->between[i % 2] : to;
    SHK_TRY(shk_base_step(&w->base, next, at, w->g[i] * h));
    if (i == 0)
      memcpy(w->first, next->lambda, (size_t)from->m * sizeof *w->first);
    at = next;
  }
  memcpy(to->lambda, w->first, (size_t)from->m * sizeof *w->first);
  return shk_ok();
}

static void composition_destroy(void *method)
{
  struct composition *w = method;
  if (w == NULL)
    return;
  shk_base_destroy(&w->base);
  shk_state_clear(&w->between[0]);
  shk_state_clear(&w->between[1]);
  free(w->first);
  free(w);
}

static struct shk_status bind(struct composition *w, const struct shk_binding *binding)
{
  const int n = binding->evaluator->system->n, m = binding->evaluator->system->m;
  const enum composition_scheme scheme =
      (enum composition_scheme)shk_values_choice(binding->options, "scheme");
  SHK_TRY(shk_base_create(&w->base, binding, "base"));
  if (w->base.claims.symmetric == SHK_NO)
    return shk_failure(SHK_REFUSED,
                       "the base is not symmetric, which compositions need for their order", 0, 0);
  w->count = composition_schemes[scheme].factors;
  composition_fill(w->g, scheme);
  w->first = calloc((size_t)m + 1, sizeof *w->first);
  if (w->first == NULL || !shk_state_init(&w->between[0], n, m) ||
      !shk_state_init(&w->between[1], n, m))
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  return shk_ok();
}

static struct shk_status composition_create(void **method, const struct shk_binding *binding)
{
  struct composition *w = calloc(1, sizeof *w);
  *method = w;
  if (w == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  const struct shk_status status = bind(w, binding);
  if (status.code != SHK_OK) {
    composition_destroy(w);
    *method = NULL;
  }
  return status;
}

/* Those of the base, but for the order of what is made of the states. No order where it is not
 * known whether the base is symmetric, as with a loose tolerance. */
static void composition_claims(struct shk_claims *claims, const struct shk_values *options,
                               shk_integrator_finder *find)
{
  const int order = composition_schemes[shk_values_choice(options, "scheme")].order;
  shk_base_claims(claims, options, "base", find);
  int *const orders[] = {&claims->order_q, &claims->order_p, &claims->order_lambda_state};
  for (int i = 0; i < 3; i++)
    if (claims->symmetric != SHK_YES)
      *orders[i] = SHK_NO_ORDER;
    else if (*orders[i] != SHK_NO_ORDER && *orders[i] < order)
      *orders[i] = order;
}

/* The sum over the factors. */
static bool composition_constraint_work(void *method, real *sum)
{
  const struct composition *w = method;
  return shk_method_constraint_work(w->base.integrator, w->base.method, sum);
}

static const struct shk_option options[] = {
    {.name = "scheme",
     .kind = SHK_OPTION_CHOICE,
     .fallback = "suzuki4",
     .heads = composition_heads,
     .meaning = "the coefficients"},
    {.name = "base",
     .kind = SHK_OPTION_INTEGRATOR,
     .fallback = "rattle",
     .meaning = "the symmetric method that is composed; its options in parentheses"},
    {0}};

static const struct shk_integrator composition = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "composition",
             .summary = "orders 4, 6, 8 and 10 by symmetric composition of a symmetric method",
             .equations = "Psi_h = S_{g_s h} ∘ … ∘ S_{g_2 h} ∘ S_{g_1 h},  g_i = g_{s+1-i},  "
                          "Σ g_i = 1\n"
                          "S_h: a step of the base, such as RATTLE\n"
                          "lambda acts at q_n in the first factor, mu at q_{n+1} in the last; both "
                          "have the order of the base.",
             .citation = "Yoshida, Phys. Lett. A 150 (1990) 262; Suzuki, Phys. Lett. A 146 (1990) "
                         "319; Reich, SIAM J. Numer. Anal. 33 (1996) 475; Hairer, Lubich & Wanner, "
                         "GNI, §V.3",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = {.order_q = 4,
                        .order_p = 4,
                        .order_lambda = 1,
                        .order_mu = 1,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        .order_lambda_state = 4,
                        .symplectic = SHK_YES,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_YES,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES,
                        .energy_bounded = SHK_YES}},
    .create = composition_create,
    .step = composition_step,
    .destroy = composition_destroy,
    .claims_over = composition_claims,
    .constraint_work = composition_constraint_work};

SHK_PROVIDE(composition, .integrators = SHK_INTEGRATORS(&composition));
