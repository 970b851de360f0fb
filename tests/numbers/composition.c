/*
 * Compositions: the coefficients satisfy all conditions for the order that is claimed, and what is
 * not a symmetric method is refused. Specifications within specifications.
 */
#include "engine/cells/drive.h"
#include "engine/names.h"
#include "integrators/kit/composition_schemes.h"
#include "tests/kit/orders.h"
#include "tests/kit/tap.h"

#define PROBLEM "sprung-pendulum"
#define LETTERS 9

/* ---- the conditions for the order ---- */

/* Words over 1, 3, 5, … of odd degree up to 9 that are less than their own ends: the coefficient of
 * each in S_{g_s} ∘ … ∘ S_{g_1}, S_g = exp(g A1 + g³ A3 + …), must be that in exp(A1). */
static const struct {
  int degree, count, word[LETTERS];
} lyndon[] = {{1, 1, {1}},
              {3, 1, {3}},
              {5, 1, {5}},
              {5, 3, {1, 1, 3}},
              {7, 1, {7}},
              {7, 3, {1, 1, 5}},
              {7, 3, {1, 3, 3}},
              {7, 5, {1, 1, 1, 1, 3}},
              {9, 1, {9}},
              {9, 3, {1, 1, 7}},
              {9, 3, {1, 3, 5}},
              {9, 3, {1, 5, 3}},
              {9, 5, {1, 1, 1, 1, 5}},
              {9, 5, {1, 1, 1, 3, 3}},
              {9, 5, {1, 1, 3, 1, 3}},
              {9, 7, {1, 1, 1, 1, 1, 1, 3}}};
enum { WORDS = sizeof lyndon / sizeof lyndon[0] };

static real coefficient(const int *word, int length, const real *g, int factors)
{
  real prefix[LETTERS + 1] = {1};
  for (int i = 0; i < factors; i++)
    for (int end = length; end > 0; end--) { /* longest first: shorter ones are still old */
      real power = 1;
      for (int begin = end - 1; begin >= 0; begin--) {
        for (int k = 0; k < word[begin]; k++)
          power *= g[i];
        power /= end - begin;
        prefix[end] += prefix[begin] * power;
      }
    }
  return prefix[length];
}

/* The largest violation of a condition of odd degree up to the order. */
static real violation(const real *g, int factors, int order)
{
  real worst = 0;
  for (int i = 0; i < WORDS; i++)
    if (lyndon[i].degree <= order) {
      const real found = coefficient(lyndon[i].word, lyndon[i].count, g, factors);
      worst = real_max(worst, real_fabs(found - (i == 0)));
    }
  return worst;
}

enum { SCHEMES = sizeof composition_schemes / sizeof composition_schemes[0] };

/* In their order. */
static const struct {
  const char *name;
  int order;
} schemes[SCHEMES] = {{"suzuki4", 4},
                      {"triple-jump", 4},
                      {"yoshida6", 6},
                      {"kahan-li6", 6},
                      {"suzuki-umeno8", 8},
                      {"kahan-li8", 8},
                      {"sofroniou-spaletta10", 10}};

static void check_conditions(void)
{
  for (int s = 0; s < SCHEMES; s++) {
    real g[COMPOSITION_FACTORS];
    const int factors = composition_schemes[s].factors, order = schemes[s].order;
    composition_fill(g, s);
    char spec[64];
    struct shk_claims claims;
    struct shk_message error;
    snprintf(spec, sizeof spec, "composition(scheme=%s)", schemes[s].name);
    tap_ok(shk_finest_engine()->claims(&test_context, &claims, spec, &error) &&
               claims.order_q == order && claims.order_p == order &&
               claims.order_lambda_state == order,
           "%s claims order %d", spec, order);
    const double right = (double)(violation(g, factors, order) / REAL_EPSILON);
    tap_ok(right < 50, "%s satisfies the conditions for order %d: %.0f eps", schemes[s].name, order,
           right);
    if (order < 10)
      tap_ok(violation(g, factors, order + 2) > R(1e-6), "%s does not satisfy those of order %d",
             schemes[s].name, order + 2);
  }
}

/* ---- specifications ---- */

static void is_canonical(const char *text, const char *expected)
{
  struct shk_message error = {.text = ""};
  char *canonical = shk_canonical_integrator(&test_context, text, &error);
  tap_is_text(canonical ? canonical : error.text, expected, "canonical: %s", text);
  free(canonical);
}

static void is_refused(const char *text, const char *part)
{
  struct shk_message error = {.text = ""};
  char *canonical = shk_canonical_integrator(&test_context, text, &error);
  tap_ok(!canonical && strstr(error.text, part), "refused: %s: %s", text, error.text);
  free(canonical);
}

static void does_not_run(const char *integrator, const char *part)
{
  OUTCOME outcome = {0};
  order_run(&outcome, PROBLEM, integrator, "0.1", NULL);
  tap_ok(outcome.code == SHK_REFUSED && strstr(outcome.reason, part), "%s: %s", integrator,
         outcome.reason);
}

static void check_specifications(void)
{
  is_canonical("composition(base=rattle)", "composition");
  is_canonical("composition( base = rattle( linear = auto ) , scheme=suzuki4 )", "composition");
  is_canonical("composition(base=rattle(linear=lu),scheme=yoshida6)",
               "composition(scheme=yoshida6,base=rattle(linear=lu))");
  is_canonical("composition(base=composition(base=rattle(iterations=7)))",
               "composition(base=composition(base=rattle(iterations=7)))");
  is_refused("composition(base=ratle)", "did you mean rattle");
  is_refused("composition(base=rattle(linaer=lu))", "did you mean linear");
  is_refused("composition(base=composition(base=ratle))", "did you mean rattle");
  is_refused("composition(base=3)", "expected an integrator");
  is_refused("composition(base=rattle(linear=lu)", "");
  does_not_run("composition(base=shake)", "symmetric");
  does_not_run("composition(base=symplectic-euler-rattle)", "symmetric");
  does_not_run("composition(base=reference)", "one-step map");
}

int main(void)
{
  check_conditions();
  check_specifications();
  return tap_done();
}
