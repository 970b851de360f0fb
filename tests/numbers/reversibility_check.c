/*
 * reversibility-check: what its base takes there and back is accepted, and a step whose way back ends at
 * another solution is not, in whatever units.
 */
#include "tests/kit/stepping.h"

/* How steps end. */
static struct shk_status ending(const char *problem, const char *integrator, const char *step,
                                long steps)
{
  DRIVE d = {0};
  const bool began = begin_or_tell(&d, problem, integrator, step);
  const struct shk_status status =
      began ? go_steps(&d, steps) : shk_failure(SHK_BAD_INPUT, "did not begin", 0, 0);
  return status;
}

/* Round-off of a step and its way back is a few eps (1 + τ/h) of the state. */
static void test_exact(const char *problem)
{
  const struct shk_status status =
      ending(problem, "reversibility-check(tolerance=1e-11)", "0.1", 10);
  tap_ok(status.code == SHK_OK, "%s: RATTLE leads back to 1e-11 of the state", problem);
}

/* A step of 1.2 and its way back: of the two points of the circle on the line along which the
 * multiplier acts, the other, as far away as the state is large. */
static void test_astray(const char *problem)
{
  char reason[256];
  const struct shk_status status = ending(problem, "reversibility-check", "1.2", 1);
  shk_status_text(reason, sizeof reason, status);
  tap_ok(status.code == SHK_NOT_CONVERGED && strstr(reason, "difference is 1.06"), "%s: %s",
         problem, reason);
}

int main(void)
{
  test_exact("double-pendulum(rate1=0.6,rate2=-0.4)");
  test_exact("double-pendulum(length1=1000,length2=1000,gravity=1000,rate1=0.6,rate2=-0.4)");
  test_astray("pendulum(angle=0.7,rate=1.1)");
  test_astray("pendulum(length=1e-6,gravity=1e-6,angle=0.7,rate=1.1)");
  return tap_done();
}
