/*
 * Makes any fixed-step one-step map Phi_h, called the base, store its states with fewer digits than
 * the arithmetic has, or sum without carries. The function r rounds to the next lower precision
 * (state=half: double to single, quad to double) or does nothing (state=own). In double,
 * `state=half` is the mixed precision of molecular dynamics engines, which store positions and
 * momenta in single and compute sums in double. With `sums=compensated`, a second single-precision
 * number stores the rounding error of the first, like OpenMM's position corrections. `sums=plain`
 * sets the carries of compensated sums (real_accumulate) to zero, so that the rounding error of
 * each increment is lost, as in codes without carries.
 *
 * z1 differs from the result of a base step by a rounding error. The accumulated effect is a random
 * walk, or a drift if the rounding errors have a preferred sign. Rounded states carry no claims,
 * because no property of Phi_h holds beyond the stored digits. With `state=own`, the base's claims
 * remain valid, except for compensated summation. Constraints g(q,p) are not supported, because
 * their fibres are checked at every step to more digits than a rounded state contains. The
 * multipliers are those of the base. The constraint force is -Gᵀ lambda.
 *
 * Source: GROMACS Reference Manual, appendix "Mixed or double precision" (state vectors in single);
 * Hairer, McLachlan & Razakarivony, BIT 48 (2008) 231, §2 (the gain by carries).
 */

static const char equations[] =
    "z1 = r(Phi_h(z0)),  carries: r(z - r(z)), or none\n"
    "r: rounding to single, say; Phi_h: a step of the base, such as RATTLE, in double\n";

#include <shakedown/plugin.h>

static real rounded_to_lower(real x)
{
  return sizeof x > sizeof(double) ? (real)(double)x : (real)(float)x;
}

enum { OWN, HALF };
enum { COMPENSATED, PLAIN };
static const struct shk_choice states[] = SHK_LIST(
    {.name = "own", .meaning = "all digits of the arithmetic"},
    {.name = "half",
     .meaning = "the digits of the next lower precision: single in double, double in quad"});
static const struct shk_choice sums[] =
    SHK_LIST({.name = "compensated", .meaning = "the rounding error is carried to the next step"},
             {.name = "plain", .meaning = "the rounding error is lost"});

struct rounded {
  struct shk_evaluator *evaluator;
  int n, m;
  int state, sums;
  struct shk_base base;
};

static void keep_rounded(const struct rounded *self, real *x, real *carry)
{
  for (int i = 0; i < self->n; i++) {
    if (self->state == HALF) {
      const real kept = rounded_to_lower(x[i]);
      carry[i] = rounded_to_lower(carry[i] + (x[i] - kept));
      x[i] = kept;
    }
    if (self->sums == PLAIN)
      carry[i] = 0;
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct rounded *self = method;
  SHK_TRY(shk_base_step(&self->base, to, from, h));
  keep_rounded(self, to->q, to->q_carry);
  keep_rounded(self, to->p, to->p_carry);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct rounded *self = method;
  if (self->state == HALF && sizeof(real) == sizeof(float))
    return shk_refused("state=half: found single, expected double or quad");
  return shk_bind_base(&self->base, binding);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const struct rounded *self = method;
  if (self->state == HALF)
    return;
  *claims = self->base.claims;
  if (self->sums == PLAIN)
    claims->compensated = SHK_NO;
}

static const struct shk_option options[] = SHK_LIST(
    SHK_BASE(rounded, base, "base", "rattle",
             "the method whose states are rounded, with its options in parentheses"),
    SHK_CHOICE(rounded, state, "state", states, "own", "the digits to which q and p are rounded"),
    SHK_CHOICE(rounded, sums, "sums", sums, "plain", "treatment of the digits that do not fit"));

static const struct shk_integrator rounded = {
    SHK_INTEGRATOR(rounded, NULL, bind, step, claims_under),
    .info = {.name = "rounded",
             .family = "around another method",
             .summary = "sums without carries, and states with fewer digits than the arithmetic",
             .equations = equations,
             .citation = "GROMACS Reference Manual, Mixed or double precision; Hairer, McLachlan & "
                         "Razakarivony, BIT 48 (2008) 231",
             .options = options,
             .supports = SHK_HOLONOMIC}};

SHK_PROVIDE(rounded, .integrators = SHK_INTEGRATORS(&rounded));
