/*
 * Steps in disguise: what methods that are covariant and intrinsic leave is round-off, what others
 * leave is seen; and where there is no disguise, that is said.
 */
#include "engine/cells/structure.h"
#include "engine/registry.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

#include <stdio.h>
#include <stdlib.h>

static double scalar(const struct shk_outcome *outcome, const char *kind, const char *what)
{
  char name[64];
  snprintf(name, sizeof name, "%s-%s", kind, what);
  return shk_outcome_scalar(outcome, name);
}

static enum shk_code measure(double *floors, const char *kind, const char *problem,
                             const char *integrator)
{
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = {.kind = (char *)kind,
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = "",
                                .step = "0.05",
                                .until = "0.05"};
  shk_structure_cell(&test_context, &outcome, &cell);
  const enum shk_code code = outcome.code;
  *floors = scalar(&outcome, kind, "defect") / scalar(&outcome, kind, "floor");
  if (code != SHK_OK)
    tap_diag("%s of %s on %s: %s", kind, integrator, problem, outcome.reason);
  shk_outcome_clear(&outcome);
  return code;
}

/* Round-off is within 10³ floors, as verdicts have it. */
static void same(const char *kind, const char *problem, const char *integrator)
{
  double floors;
  const enum shk_code code = measure(&floors, kind, problem, integrator);
  tap_ok(code == SHK_OK && floors <= 1e3, "%s of %s on %s: %.2g floors", kind, integrator, problem,
         floors);
}

/* In double, errors of index reduction are no more than 10⁵ floors at this step. */
static void differs(const char *kind, const char *problem, const char *integrator)
{
  double floors;
  const enum shk_code code = measure(&floors, kind, problem, integrator);
  tap_ok(code == SHK_OK && floors > 1e4, "%s of %s on %s: %.2g floors", kind, integrator, problem,
         floors);
}

int main(void)
{
  static const char *const kinds[] = {"permutation", "covariance", "rewriting"};
  static const char *const problems[] = {"drawn(seed=3,size=small)", "drawn(seed=4)",
                                         "sundials-slider-crank", "driven-pendulum",
                                         "charged-pendulum"};
  double floors;
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
      same(kinds[k], problems[i], "rattle");
  same("covariance", problems[0], "projection");
  differs("rewriting", problems[0], "projection(base=rk2)");
  same("permutation", problems[0], "penalty");
  differs("covariance", problems[0], "penalty");
  struct shk_message error;
  const char *const plugin = getenv("SHAKEDOWN_BAD_RATTLE");
  tap_ok(plugin && shk_registry_load(&test_context, plugin, &error), "wrong multipliers load");
  same("covariance", problems[1], "bad-rattle");
  differs("permutation", problems[1], "bad-rattle(fault=other-rows)");
  differs("covariance", problems[1], "bad-rattle(fault=row-units)");
  tap_is_int(measure(&floors, "permutation", "harmonic-sphere", "rattle"), SHK_REFUSED,
             "no disguise where constraints depend on momenta");
  return tap_done();
}
