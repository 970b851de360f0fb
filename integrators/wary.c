/*
 * Two ways to be wary of steps near singular configurations, around any one-step map Phi_h of fixed
 * step, the base:
 *
 *   step-reduction    where Phi_h fails, the step is made of two of h/2, and where one of these
 *                     fails it is halved again, up to `halvings` times:
 *                     Phi_{h/2} ∘ Phi_{h/2}, …; each failed part counts as a rejected step
 *   reversal-check    a step is accepted only if Phi_{-h} leads back from where Phi_h has led,
 *                     max|z - Phi_{-h} Phi_h z| ≤ tolerance·max|z|, separately for q and p (the
 *                     larger of both ends'); else it has failed. A solve that jumped to another
 *                     branch of the constraints does not find its way back, unless it jumps there
 *                     too
 *
 * Neither changes a step that the base takes well. A symmetric base is needed for the check. With
 * reduced steps among the others the map is no longer one of fixed step: what rests on that,
 * symplecticity and bounded energy errors, is not claimed. The multipliers are those of the last
 * part of the step (lambda: of the first); the constraint force is -Gᵀ lambda.
 *
 * Source: M. M. Graham, A. H. Thiery & A. Beskos, Electron. J. Statist. 16 (2022) 4674, §3, and
 * E. Zappa, M. Holmes-Cerfon & J. Goodman, Comm. Pure Appl. Math. 71 (2018) 2609, for the check.
 */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct wary {
  struct shk_evaluator *evaluator;
  struct shk_base base;
  struct shk_state at, next, back;
  real *first; /* m: lambda of the first part */
  int halvings;
  real tolerance;
};

/* Whether a shorter step may help. */
static bool may_help(struct shk_status status)
{
  return status.code == SHK_NOT_CONVERGED || status.code == SHK_SINGULAR ||
         status.code == SHK_TRY_SMALLER || status.code == SHK_NOT_FINITE;
}

static bool is_finite(const struct shk_state *s)
{
  return real_isfinite(real_max_norm(s->q, s->n)) && real_isfinite(real_max_norm(s->p, s->n));
}

/* Parts of h in units of h 2^-depth: `done` of them are behind; the next is tried as long as it can
 * be, which is the largest power of two that divides `done`. */
static struct shk_status reduction_step(void *method, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct wary *w = method;
  const long whole = 1L << w->halvings;
  long done = 0, part = whole;
  shk_state_copy(&w->at, from);
  while (done < whole) {
    struct shk_status status = shk_base_step(&w->base, &w->next, &w->at, h * (real)part / whole);
    if (status.code == SHK_OK && !is_finite(&w->next))
      status = shk_failure(SHK_NOT_FINITE, "the base returned a state that is not finite", 0, 0);
    if (status.code != SHK_OK) {
      if (part == 1 || !may_help(status))
        return status;
      w->evaluator->work.rejected++;
      part /= 2;
      continue;
    }
    if (done == 0)
      memcpy(w->first, w->next.lambda, (size_t)from->m * sizeof *w->first);
    const struct shk_state swap = w->at;
    w->at = w->next;
    w->next = swap;
    done += part;
    w->at.t = from->t + h * (real)done / whole;
    while (done < whole && done % (2 * part) == 0 && done + 2 * part <= whole)
      part *= 2;
  }
  shk_state_copy(to, &w->at);
  memcpy(to->lambda, w->first, (size_t)from->m * sizeof *w->first);
  return shk_ok();
}

/* max|a - b| over the largest of |b| and |c|: p alone may vanish at a turning point. */
static real departure(const real *a, const real *b, const real *c, int n)
{
  real worst = 0;
  for (int i = 0; i < n; i++)
    worst = real_max(worst, real_fabs(a[i] - b[i]));
  const real size = real_max(real_max_norm(b, n), real_max_norm(c, n));
  return size > 0 ? worst / size : worst;
}

static struct shk_status check_step(void *method, struct shk_state *to,
                                    const struct shk_state *from, real h)
{
  struct wary *w = method;
  SHK_TRY(shk_base_step(&w->base, to, from, h));
  if (shk_base_step(&w->base, &w->back, to, -h).code != SHK_OK)
    return shk_failure(SHK_NOT_CONVERGED, "the step cannot be taken back", 0, 0);
  const real off = real_max(departure(w->back.q, from->q, to->q, from->n),
                            departure(w->back.p, from->p, to->p, from->n));
  if (!(off <= w->tolerance))
    return shk_failure(SHK_NOT_CONVERGED,
                       "the step does not lead back: it is off by %g of the state (tolerance %g)",
                       (double)off, (double)w->tolerance);
  return shk_ok();
}

static void wary_destroy(void *method)
{
  struct wary *w = method;
  if (w == NULL)
    return;
  shk_base_destroy(&w->base);
  shk_state_clear(&w->at);
  shk_state_clear(&w->next);
  shk_state_clear(&w->back);
  free(w->first);
  free(w);
}

static struct shk_status bind(struct wary *w, const struct shk_binding *binding)
{
  const int n = binding->evaluator->system->n, m = binding->evaluator->system->m;
  w->evaluator = binding->evaluator;
  SHK_TRY(shk_base_create(&w->base, binding, "base"));
  w->first = calloc((size_t)m + 1, sizeof *w->first);
  if (w->first == NULL || !shk_state_init(&w->at, n, m) || !shk_state_init(&w->next, n, m) ||
      !shk_state_init(&w->back, n, m))
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  return shk_ok();
}

static struct shk_status make(void **method, const struct shk_binding *binding)
{
  struct wary *w = calloc(1, sizeof *w);
  *method = w;
  const struct shk_status status =
      w != NULL ? bind(w, binding) : shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  if (status.code != SHK_OK) {
    wary_destroy(w);
    *method = NULL;
  }
  return status;
}

static struct shk_status reduction_create(void **method, const struct shk_binding *binding)
{
  SHK_TRY(make(method, binding));
  ((struct wary *)*method)->halvings = (int)shk_values_integer(binding->options, "halvings");
  return shk_ok();
}

static struct shk_status check_create(void **method, const struct shk_binding *binding)
{
  SHK_TRY(make(method, binding));
  struct wary *w = *method;
  w->tolerance = shk_values_real(binding->options, "tolerance");
  if (w->base.claims.symmetric == SHK_YES)
    return shk_ok();
  const enum shk_answer said = w->base.claims.symmetric;
  wary_destroy(w);
  *method = NULL;
  return shk_failure(SHK_REFUSED,
                     said == SHK_NO ? "the base is not symmetric: its steps do not lead back"
                                    : "the base does not say that it is symmetric, so that its "
                                      "steps need not lead back",
                     0, 0);
}

static void weaken(enum shk_answer *answer)
{
  if (*answer == SHK_YES)
    *answer = SHK_UNKNOWN;
}

/* Those of the base, but for what rests on steps of one length. */
static void reduction_claims(struct shk_claims *claims, const struct shk_values *options)
{
  shk_base_claims(claims, options, "base");
  weaken(&claims->symplectic);
  weaken(&claims->presymplectic);
  weaken(&claims->symmetric);
  weaken(&claims->reversible);
  weaken(&claims->energy_bounded);
}

/* Those of the base: a step that is accepted is the base's. Only next to the hidden constraint none
 * is, as the way back ends on it, and the form on all of g = 0 is nothing that can be asked. */
static void check_claims(struct shk_claims *claims, const struct shk_values *options)
{
  shk_base_claims(claims, options, "base");
  weaken(&claims->presymplectic);
}

static const struct shk_option reduction_options[] = {
    {.name = "base",
     .kind = SHK_OPTION_INTEGRATOR,
     .fallback = "rattle",
     .meaning = "the method whose steps are halved; its options in parentheses"},
    {.name = "halvings",
     .kind = SHK_OPTION_INTEGER,
     .fallback = "8",
     .minimum = "1",
     .maximum = "20",
     .meaning = "how often a step is halved at most before it has failed"},
    {0}};

static const struct shk_option check_options[] = {
    {.name = "base",
     .kind = SHK_OPTION_INTEGRATOR,
     .fallback = "rattle",
     .meaning = "the symmetric method whose steps are checked; its options in parentheses"},
    {.name = "tolerance",
     .kind = SHK_OPTION_REAL,
     .fallback = "1e-8",
     .minimum = "0",
     .positive = true,
     .meaning = "how far from where it began a step taken back may end, over the size of q, and "
                "of p"},
    {0}};

#define SUPPORTS (SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT)

static const struct shk_integrator reduction = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "step-reduction",
             .summary = "a step that fails is made of shorter ones",
             .equations = "Phi_h where it succeeds, else Phi_{h/2} ∘ Phi_{h/2}, and so on\n"
                          "Phi_h: a step of the base, such as RATTLE",
             .citation = "Hairer & Wanner, Solving ODEs II, §IV.8 (step size after a failed "
                         "iteration)",
             .options = reduction_options,
             .supports = SUPPORTS,
             .claims = {.order_q = 2,
                        .order_p = 2,
                        .order_lambda = 1,
                        .order_mu = 1,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        .order_lambda_state = 2,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES}},
    .create = reduction_create,
    .step = reduction_step,
    .destroy = wary_destroy,
    .claims_over = reduction_claims};

static const struct shk_integrator check = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "reversal-check",
             .summary = "a step is accepted only if it can be taken back",
             .equations = "z_1 = Phi_h(z_0) if |Phi_{-h}(z_1) - z_0| ≤ tolerance |z_0|, else the "
                          "step has failed\n"
                          "Phi_h: a step of the base, such as RATTLE",
             .citation = "Zappa, Holmes-Cerfon & Goodman, Comm. Pure Appl. Math. 71 (2018) 2609; "
                         "Graham, Thiery & Beskos, Electron. J. Statist. 16 (2022) 4674",
             .options = check_options,
             .supports = SUPPORTS,
             .claims = {.order_q = 2,
                        .order_p = 2,
                        .order_lambda = 1,
                        .order_mu = 1,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        .order_lambda_state = 2,
                        .symplectic = SHK_YES,
                        .symmetric = SHK_YES,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES,
                        .energy_bounded = SHK_YES}},
    .create = check_create,
    .step = check_step,
    .destroy = wary_destroy,
    .claims_over = check_claims};

SHK_PROVIDE(wary, .integrators = SHK_INTEGRATORS(&reduction, &check));
