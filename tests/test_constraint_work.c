/*
 * The work of the constraints: of order h² and bounded over RATTLE, the energy that a method loses
 * where only its corrections take any, and absent where a method cannot tell.
 */
#include "tests/orders.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static void run(struct shk_outcome *outcome, const char *integrator, const char *step)
{
  static char *times[] = {"10", "20"};
  const struct shk_cell cell = {.kind = "run",
                                .problem = "pendulum",
                                .integrator = (char *)integrator,
                                .precision = "",
                                .step = (char *)step,
                                .tolerance = NULL,
                                .until = "20",
                                .times = times,
                                .time_count = 2};
  shk_run_cell(outcome, &cell);
  if (outcome->code != SHK_OK)
    tap_diag("%s: %s", integrator, outcome->reason);
}

static double scalar(const char *integrator, const char *step, const char *name)
{
  struct shk_outcome outcome;
  run(&outcome, integrator, step);
  const double value = outcome.code == SHK_OK ? shk_outcome_scalar(&outcome, name) : NAN;
  shk_outcome_clear(&outcome);
  return value;
}

static void check_order(const char *integrator, double low, double high)
{
  const double coarse = scalar(integrator, "0.02", "constraint-work-max");
  const double fine = scalar(integrator, "0.01", "constraint-work-max");
  tap_ok(fine > 0 && coarse / fine > low && coarse / fine < high,
         "%s: %.2e and %.2e at steps 0.02 and 0.01", integrator, coarse, fine);
}

static void check_energy(const char *integrator, double tolerance)
{
  const double work = scalar(integrator, "0.01", "constraint-work-final");
  const double energy = scalar(integrator, "0.01", "energy-error-final");
  tap_ok(fabs(work - energy) < tolerance * fabs(energy),
         "%s: the work %.4e is the change of the energy %.4e", integrator, work, energy);
}

int main(void)
{
  check_order("rattle", 3.9, 4.1);
  check_order("symplectic-euler-shake", 3.9, 4.1);
  check_order("composition", 15, 17);
  check_order("projection(symmetric=yes,base=gauss)", 15, 17);
  /* Forces of a linear potential: Verlet's own error of the energy is what is left. */
  check_energy("shake-minimal-displacement", 1e-3);
  check_energy("shake-minimal-displacement(direction=trial)", 1e-3);
  /* Nothing but the base's own error. */
  check_energy("projection(onto=none)", 1e-2);
  tap_ok(scalar("shake-position-only", "0.01", "constraint-work-final") < -0.05 &&
             scalar("verlet-projected", "0.01", "constraint-work-final") < -0.05,
         "corrections that are not fed back take energy");
  tap_ok(scalar("penalty(damping=10)", "0.001", "constraint-work-max") < 1e-3 &&
             scalar("penalty(base=rk4)", "0.001", "constraint-work-max") < 1e-3,
         "a stiff spring holds little energy");
  check_order("baumgarte", 8, 32);
  tap_ok(isnan(scalar("spark", "0.01", "constraint-work-max")), "absent where it is not offered");
  return tap_done();
}
