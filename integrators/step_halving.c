/*
 * Adds step reduction to any fixed-step one-step map Phi_h, which is called the base. If Phi_h
 * fails, it is replaced by two steps of length h/2. If one of these fails, it is halved again, and
 * so on up to `halvings` times.
 *
 * Each failed part counts as a rejected step. A successful step of the base is left unchanged.
 * Because reduced steps make the step size variable, the method does not claim symplecticity,
 * bounded energy errors or other properties that depend on a fixed step size. lambda belongs to the
 * first part of the step, and mu to the last. The constraint force is -Gᵀ lambda.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §IV.8.
 */

static const char equations[] =
    "Phi_h if it succeeds, otherwise Phi_{h/2} ∘ Phi_{h/2}, Phi_{h/4} ∘ Phi_{h/4} ∘ Phi_{h/2}, …\n"
    "Phi_h: a step of the base, such as RATTLE\n";

#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

struct reduction {
  struct shk_evaluator *evaluator;
  int n, m;
  long halvings;
  struct shk_base base;
  struct shk_state at, next;
  real *first; /* m entries: lambda of the first part */
};

static bool is_finite(const struct shk_state *s)
{
  return real_isfinite(real_max_norm(s->q, s->n)) && real_isfinite(real_max_norm(s->p, s->n));
}

/* Takes the step in parts, whose lengths are integers in units of h 2^-halvings. `done` counts the
 * completed units. After a success, the part is doubled for as long as it fits into the remainder
 * and divides `done`. */
static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct reduction *self = method;
  const long whole = 1L << self->halvings;
  long done = 0, part = whole;
  shk_state_copy(&self->at, from);
  while (done < whole) {
    struct shk_status status =
        shk_base_step(&self->base, &self->next, &self->at, h * (real)part / whole);
    if (status.code == SHK_OK && !is_finite(&self->next))
      status = shk_failure(SHK_NOT_FINITE, "the base returned a state that is not finite", 0, 0);
    if (status.code != SHK_OK) {
      if (part == 1 || !shk_may_recover(status.code))
        return status;
      self->evaluator->counters.rejected++;
      part /= 2;
      continue;
    }
    if (done == 0)
      shk_copy(self->first, self->next.lambda, from->m);
    shk_state_swap(&self->at, &self->next);
    done += part;
    self->at.t = from->t + h * (real)done / whole;
    while (done < whole && done % (2 * part) == 0 && done + 2 * part <= whole)
      part *= 2;
  }
  shk_state_copy(to, &self->at);
  shk_copy(to->lambda, self->first, from->m);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct reduction *self = method;
  SHK_TRY(shk_bind_base(&self->base, binding));
  SHK_TRY(shk_bind_state(&self->at, binding));
  return shk_bind_state(&self->next, binding);
}

static void weaken_step_halving(enum shk_answer *answer)
{
  if (*answer == SHK_YES)
    *answer = SHK_UNKNOWN;
}

/* Makes the same claims as the base, except for those that depend on a fixed step size. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  *claims = ((const struct reduction *)method)->base.claims;
  weaken_step_halving(&claims->symplectic);
  weaken_step_halving(&claims->presymplectic);
  weaken_step_halving(&claims->symmetric);
  weaken_step_halving(&claims->reversible);
  weaken_step_halving(&claims->energy_bounded);
  weaken_step_halving(&claims->energy_dissipates);
  weaken_step_halving(&claims->affine_equivariant);
  weaken_step_halving(&claims->formulation_independent);
}

static const struct shk_option options[] =
    SHK_LIST(SHK_BASE(reduction, base, "base", "rattle",
                      "the method whose steps are halved, with its options in parentheses"),
             SHK_INTEGER(reduction, halvings, "halvings", "8",
                         "maximum number of halvings, after which the step fails", .minimum = "1",
                         .maximum = "20"));

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAY(reduction, first, .m = 1));

static const struct shk_integrator reduction = {
    SHK_INTEGRATOR(reduction, arrays, bind, step, claims_under),
    .info = {.name = "step-halving",
             .family = "around another method",
             .summary = "a step that fails is replaced by shorter ones",
             .equations = equations,
             .citation = "Hairer & Wanner, Solving ODEs II, §IV.8 (step size after a failed "
                         "iteration)",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(step_halving, .integrators = SHK_INTEGRATORS(&reduction));
