/*
 * Steps of transformed problems: equivariant methods differ by round-off, others by more; problems
 * that cannot be transformed are refused.
 */
#include "engine/registry.h"
#include "tests/kit/structure_cell.h"

/* Round-off is within 10³ floors, as verdicts have it. */
static void same(const char *kind, const char *problem, const char *integrator)
{
  double floors;
  const enum shk_code code = measure_structure(&floors, kind, problem, integrator);
  tap_ok(code == SHK_OK && floors <= 1e3, "%s of %s on %s: %.2g floors", kind, integrator, problem,
         floors);
}

/* In double, errors of index reduction are no more than 10⁵ floors at this step. */
static void differs(const char *kind, const char *problem, const char *integrator)
{
  double floors;
  const enum shk_code code = measure_structure(&floors, kind, problem, integrator);
  tap_ok(code == SHK_OK && floors > 1e4, "%s of %s on %s: %.2g floors", kind, integrator, problem,
         floors);
}

int main(void)
{
  static const char *const kinds[] = {"permutation", "covariance", "rewriting"};
  static const char *const problems[] = {"random-system(seed=3,size=small)",
                                         "random-system(seed=5)", "sundials-slider-crank",
                                         "driven-pendulum", "charged-pendulum"};
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
  tap_is_int(measure_structure(&floors, "permutation", "harmonic-sphere", "rattle"), SHK_REFUSED,
             "constraints on momenta are not transformed");
  return tap_done();
}
