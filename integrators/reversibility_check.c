/*
 * Adds a reversibility check to any symmetric fixed-step one-step map Phi_h, which is called the
 * base. A step is accepted only if Phi_{-h} reverses Phi_h. The test is done separately for q and
 * p, relative to max|z| over both ends. A step whose solve jumped to another branch of the
 * constraints is not reversed, unless the solve jumps again. Every accepted step is a step of the
 * base.
 *
 * Source: E. Zappa, M. Holmes-Cerfon & J. Goodman, Comm. Pure Appl. Math. 71 (2018) 2609; M. M.
 * Graham, A. H. Thiery & A. Beskos, Electron. J. Statist. 16 (2022) 4674, §3.
 */

static const char equations[] =
    "z1 = Phi_h(z0) if max|z0 - Phi_{-h}(z1)| ≤ tolerance·max|z|; otherwise the step fails\n"
    "Phi_h: a step of the base, such as RATTLE\n";

#include "integrators/kit/stepping.h"
#include <shakedown/plugin.h>

struct check {
  struct shk_evaluator *evaluator;
  int n, m;
  real tolerance;
  struct shk_base base;
  struct shk_state back;
};

/* Returns max|a - b| divided by the larger of max|b| and max|c|. Both ends of the step are used
 * because p may vanish at one of them if it is a turning point. */
static real relative_departure(const real *a, const real *b, const real *c, int n)
{
  const real worst = shk_largest_difference(a, b, n);
  const real size = real_max(real_max_norm(b, n), real_max_norm(c, n));
  return size > 0 ? worst / size : worst;
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct check *self = method;
  SHK_TRY(shk_base_step(&self->base, to, from, h));
  if (shk_base_step(&self->base, &self->back, to, -h).code != SHK_OK)
    return shk_failure(SHK_NOT_CONVERGED, "the step back from the end of the step failed", 0, 0);
  const real off = real_max(relative_departure(self->back.q, from->q, to->q, from->n),
                            relative_departure(self->back.p, from->p, to->p, from->n));
  if (!(off <= self->tolerance))
    return shk_failure(SHK_NOT_CONVERGED,
                       "the step does not lead back to its start: the difference is %g of the "
                       "state (tolerance %g)",
                       (double)off, (double)self->tolerance);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct check *self = method;
  SHK_TRY(shk_bind_base(&self->base, binding));
  if (self->base.claims.symmetric != SHK_YES)
    return shk_refused(
        self->base.claims.symmetric == SHK_NO
            ? "the base is not symmetric: its steps do not lead back"
            : "the base does not claim to be symmetric, so its steps need not lead back");
  return shk_bind_state(&self->back, binding);
}

/* Makes the same claims as the base, except for presymplecticity. A step that starts off the hidden
 * constraint is never accepted, because the reverse step ends on it. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  *claims = ((const struct check *)method)->base.claims;
  if (claims->presymplectic == SHK_YES)
    claims->presymplectic = SHK_UNKNOWN;
}

static const struct shk_option options[] = SHK_LIST(
    SHK_BASE(check, base, "base", "rattle",
             "the symmetric method whose steps are checked, with its options in parentheses"),
    SHK_REAL(check, tolerance, "tolerance", "1e-8",
             "maximum distance between a step taken back and its start, relative to the sizes of q "
             "and p",
             .minimum = "0", .positive = true));

static const struct shk_integrator check = {
    SHK_INTEGRATOR(check, NULL, bind, step, claims_under),
    .info = {.name = "reversibility-check",
             .family = "around another method",
             .summary = "a step is accepted only if it can be taken back",
             .equations = equations,
             .citation = "Zappa, Holmes-Cerfon & Goodman, Comm. Pure Appl. Math. 71 (2018) 2609; "
                         "Graham, Thiery & Beskos, Electron. J. Statist. 16 (2022) 4674",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(reversibility_check, .integrators = SHK_INTEGRATORS(&check));
